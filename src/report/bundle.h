// report/bundle.h: one paste for whoever is asked about a failure.
#ifndef CUDADOCTOR_REPORT_BUNDLE_H_
#define CUDADOCTOR_REPORT_BUNDLE_H_

#include <cstddef>
#include <string>

#include "model/report.h"

namespace cudadoctor {

inline constexpr size_t kMaxBundleBytes = 4000;

// Markdown of at most kMaxBundleBytes: the causes, the command, the versions, the deciding lines
// with their neighbourhood (Report::excerpts), the remedy. What does not fit is left out, the
// neighbourhood first. Text of the log stands in code only, so that nothing in it is obeyed: no
// mention, no link, no HTML. Takes the report as it is: redact it before.
std::string RenderBundle(const Report& report);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REPORT_BUNDLE_H_

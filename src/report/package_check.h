// report/package_check.h: the answers of `cudadoctor check` as text and JSON.
#ifndef CUDADOCTOR_REPORT_PACKAGE_CHECK_H_
#define CUDADOCTOR_REPORT_PACKAGE_CHECK_H_

#include <string>

#include "json/json_fwd.h"
#include "model/package_check.h"
#include "report/renderer.h"

namespace cudadoctor {

// One screen, for a person.
std::string RenderCheckText(const PackageCheck& check, const RenderOptions& options);

// docs/check.schema.json, version 1.
Json CheckToJson(const PackageCheck& check);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REPORT_PACKAGE_CHECK_H_

// report/ci_log.h: what the reports have in common that stand in the log of a CI job.
#ifndef CUDADOCTOR_REPORT_CI_LOG_H_
#define CUDADOCTOR_REPORT_CI_LOG_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/report.h"
#include "report/renderer.h"

namespace cudadoctor {

// A diagnosis with the report that it is of.
struct Mark {
  const Report* report;
  const Diagnosis* diagnosis;
};

// What a CI system marks, roots first: every root and latent cause. A contributing cause is no mark
// of its own, it stands in the texts. The pointers are into `reports`.
std::vector<Mark> Marks(std::span<const Report> reports);

// The first cause that made a build fail; nothing when there is none.
std::optional<Mark> FirstFailure(std::span<const Report> reports);

// "title (cause, confidence)", in one line.
std::string TitleWithCause(const Diagnosis& diagnosis);

// The title of the first mark, and how many there are more; empty when there is none. One line.
std::string Header(std::span<const Report> reports);

// The text reports of those that have a diagnosis.
std::string TextOfMarks(std::span<const Report> reports, const RenderOptions& options);

// `text` without what the agents of GitHub and Azure obey anywhere in a line, ##[ and ##vso[: a
// blank parts each two number signs.
std::string PartNumberSigns(std::string_view text);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REPORT_CI_LOG_H_

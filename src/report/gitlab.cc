#include <string>

#include "absl/strings/str_cat.h"
#include "report/ci_log.h"
#include "report/renderer.h"

namespace cudadoctor {

// docs.gitlab.com, "CI/CD job logs": a section begins and ends with a marker that the sequence
// CR ESC [0K closes. Without that sequence, which no text of a report holds, the words are text.
// The name must be unique in the job.
std::string RenderGitlab(std::span<const Report> reports, const RenderOptions& options) {
  const std::string header = Header(reports);
  if (header.empty()) return "";
  const std::string name = absl::StrCat(options.time, ":cudadoctor_", options.time);
  constexpr const char* kErase = "\x1b[0K";
  return absl::StrCat(kErase, "section_start:", name, "\r", kErase, "cudadoctor: ", header, "\n",
                      TextOfMarks(reports, options), kErase, "section_end:", name, "\r", kErase,
                      "\n");
}

}  // namespace cudadoctor

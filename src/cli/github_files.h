// cli/github_files.h: what a step of GitHub Actions leaves besides its log.
#ifndef CUDADOCTOR_CLI_GITHUB_FILES_H_
#define CUDADOCTOR_CLI_GITHUB_FILES_H_

#include <span>
#include <vector>

#include "absl/status/status.h"
#include "cli/ci.h"
#include "model/report.h"

namespace cudadoctor {

// Appends a summary to the file that GITHUB_STEP_SUMMARY names, and the outputs cause, title and
// retry of the first failure to the one of GITHUB_OUTPUT. Touches neither when nothing failed, nor
// one whose variable is not set. `names_input`: several inputs were given.
// Errors: those of AppendToFile, one a file.
std::vector<absl::Status> WriteGithubFiles(std::span<const Report> reports, bool names_input,
                                           const Environment& environment);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_CLI_GITHUB_FILES_H_

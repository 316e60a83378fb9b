// cli/ci.h: the CI system that this runs under.
#ifndef CUDADOCTOR_CLI_CI_H_
#define CUDADOCTOR_CLI_CI_H_

#include <string>
#include <string_view>

#include "base/environment.h"

namespace cudadoctor {

// The format whose reports the CI system shows best: github, gitlab, azure, buildkite; text
// elsewhere.
std::string_view FormatByContext(const Environment& environment);

// The folder of the checked-out sources as the CI system names it, else the working directory.
std::string SourceFolder(const Environment& environment);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_CLI_CI_H_

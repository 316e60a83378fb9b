// cli/ci.h: the CI system that this runs under.
#ifndef CUDADOCTOR_CLI_CI_H_
#define CUDADOCTOR_CLI_CI_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace cudadoctor {

// The value of an environment variable; nothing when it is not set.
using Environment = std::function<std::optional<std::string>(std::string_view name)>;

// That of this process.
std::optional<std::string> ProcessEnvironment(std::string_view name);

// The format whose reports the CI system shows best: github, gitlab, azure, buildkite; text
// elsewhere.
std::string_view FormatByContext(const Environment& environment);

// The folder of the checked-out sources as the CI system names it, else the working directory.
std::string SourceFolder(const Environment& environment);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_CLI_CI_H_

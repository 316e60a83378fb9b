// cli/run_options.h: where the options of `cudadoctor run` end and the command begins.
#ifndef CUDADOCTOR_CLI_RUN_OPTIONS_H_
#define CUDADOCTOR_CLI_RUN_OPTIONS_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace cudadoctor {

// Takes COMMAND… off `arguments`, those of the program without its name: "[OPTION…] run [OPTION…]
// [--] COMMAND…". The command begins at the first word that is neither an option nor an option's
// value; a "--" before it is not part of it, one in it is. Empty, and `arguments` unchanged, when
// they ask for something else than `run`. `takes_value` says whether an option ("--format", "-q")
// has its value in the next argument.
std::vector<std::string> TakeCommand(
    const std::function<bool(std::string_view option)>& takes_value,
    std::vector<std::string>& arguments);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_CLI_RUN_OPTIONS_H_

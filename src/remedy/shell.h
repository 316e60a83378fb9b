// remedy/shell.h: the one place that writes and reads shell words.
#ifndef CUDADOCTOR_REMEDY_SHELL_H_
#define CUDADOCTOR_REMEDY_SHELL_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cudadoctor {

// `word` as one word of a POSIX shell, quoted only where it must be.
std::string ShellQuote(std::string_view word);

// A command line that a log shows, taken apart.
struct CommandLine {
  std::vector<std::pair<std::string, std::string>> env;  // NAME=value in front of the command
  std::vector<std::string> words;
  bool lost_options =
      false;  // what no remedy may repeat was left out: it is not the user's any more
};

// Reads a line such as "$ MAX_JOBS=8 pip install 'torch>=2.1' 2>&1 | tee log": prompt, sudo (but of
// apt) and all from the first redirection or pipe on are left out. Nothing when the line is no
// plain command of a tool that installs or builds (pip, uv, conda, poetry, cmake, make, python, …),
// or holds substitutions, control characters or several commands: such a line is never repeated.
// Options that switch verification off are left out.
std::optional<CommandLine> ParseCommandLine(std::string_view line);

// NAME=value assignments and words, each quoted as needed; references to variables at the start or
// the end of a value ($PATH, $HOME/x) stay unquoted.
std::string WriteCommandLine(const CommandLine& command);

// A value of an assignment in a rule, never of a log: like ShellQuote, but leaves "$NAME" as it is.
std::string QuoteAssignment(std::string_view value);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REMEDY_SHELL_H_

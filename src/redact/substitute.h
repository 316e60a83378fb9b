// redact/substitute.h: parts of a command become variables, and its words stay what they were.
#ifndef CUDADOCTOR_REDACT_SUBSTITUTE_H_
#define CUDADOCTOR_REDACT_SUBSTITUTE_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cudadoctor {

// A part of a command that a shell variable stands for.
struct VariablePart {
  size_t begin = 0;  // half-open bytes
  size_t end = 0;
  std::string variable;         // a shell's name, without '$'
  bool is_quoted_alone = true;  // outside quotes, put it into double quotes
};

// `command` with each of `parts` (in order, without overlap) as its variable, quoted so that a
// shell in which the variables are set makes the same words of it: single quotes become double
// ones where that changes nothing, else they are closed before and opened after. For a POSIX shell
// and PowerShell; with %NAME% where the command is written for cmd.exe. Nothing where the quotes do
// not close, or a part begins and ends in different ones.
std::optional<std::string> PutVariables(std::string_view command,
                                        std::span<const VariablePart> parts);

// `value`, which a shell would not read as a word, with `parts` as $NAME.
std::string PutVariablesUnquoted(std::string_view value, std::span<const VariablePart> parts);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REDACT_SUBSTITUTE_H_

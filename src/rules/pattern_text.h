// rules/pattern_text.h: how expressions are written in rule files, and what RE2 gets of it.
#ifndef CUDADOCTOR_RULES_PATTERN_TEXT_H_
#define CUDADOCTOR_RULES_PATTERN_TEXT_H_

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace cudadoctor {

// Parts of expressions by name: those of rules/fragments.toml, and of the file at hand.
using Fragments = std::map<std::string, std::string, std::less<>>;

// `text` as RE2 reads it:
//   - blanks and line breaks outside of a character class are "\s+", since a tool pads and wraps
//   its
//     messages; with "?" or "*" behind them they are "\s*". One blank that must be one is "\x20".
//   - {{name}} is the text of that fragment, which may hold others.
//   - a text of several lines may be indented; its first and last blanks do not count.
// Errors: kInvalidArgument, a fragment that is not there or holds itself.
absl::StatusOr<std::string> ExpandPattern(std::string_view text, const Fragments& fragments);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_RULES_PATTERN_TEXT_H_

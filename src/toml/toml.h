// toml/toml.h: the one TOML reader.
#ifndef CUDADOCTOR_TOML_TOML_H_
#define CUDADOCTOR_TOML_TOML_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "json/json_fwd.h"

namespace cudadoctor {

// The values of `text`, each table's keys in the order of the file. `origin` names it in errors.
// Errors: kInvalidArgument, a text as MistakeInToml's, for malformed text, for a key that stands
// twice in one table, and for a date, which must be a string.
absl::StatusOr<Json> ParseToml(std::string_view text, std::string_view origin);

// A mistake in a file, with its line and a caret:
//
//   host/frobnication-failed.toml:7:1: unknown key; known here: id, group
//       7 | severity = "high"
//         | ^
//
// `pointer` names the value in the form of a JSON pointer, "/signatures/0/name"; where the file has
// no such value the caret is below what would hold it. `at` is a byte of the string that the value
// is: the caret is below it where the string is written without escapes, otherwise below its key.
std::string MistakeInToml(std::string_view text, std::string_view origin, std::string_view pointer,
                          std::string_view what, std::optional<size_t> at = {});

}  // namespace cudadoctor

#endif  // CUDADOCTOR_TOML_TOML_H_

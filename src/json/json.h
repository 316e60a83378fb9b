// json/json.h: the one JSON reader and writer.
#ifndef CUDADOCTOR_JSON_JSON_H_
#define CUDADOCTOR_JSON_JSON_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "json/json_fwd.h"
#include "nlohmann/json.hpp"

namespace cudadoctor {

// Parses `text`; `origin` names it in errors.
// Errors: kInvalidArgument with "ORIGIN:LINE:COLUMN: what is wrong", for malformed text and for a
// key that stands twice in one object.
absl::StatusOr<Json> ParseJson(std::string_view text, std::string_view origin);

// The member `key` of `object`; nullptr when it is no object, has no such member, or that is null.
const Json* Member(const Json& object, std::string_view key);

// The same as text; empty when it is no string.
std::string TextMember(const Json& object, std::string_view key);

// `value` as text: one line when `indent` is negative. Bytes that are not UTF-8 become U+FFFD.
std::string WriteJson(const Json& value, int indent = -1);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_JSON_JSON_H_

// rules/toml_of.h: TOML for rules that a test puts together as JSON.
#ifndef CUDADOCTOR_TESTS_RULES_TOML_OF_H_
#define CUDADOCTOR_TESTS_RULES_TOML_OF_H_

#include <string>

#include "gtest/gtest.h"
#include "json/json.h"

namespace cudadoctor {

inline std::string InlineToml(const Json& value) {
  if (!value.is_structured()) return WriteJson(value);  // TOML has JSON's escapes
  std::string text;
  for (const auto& [key, element] : value.items()) {
    if (!text.empty()) text += ", ";
    if (value.is_object()) text += WriteJson(Json(key)) + " = ";
    text += InlineToml(element);
  }
  return value.is_object() ? "{" + text + "}" : "[" + text + "]";
}

// A line for each key of the object `json`.
inline std::string TomlOf(const std::string& json) {
  const absl::StatusOr<Json> object = ParseJson(json, "a rule in a test");
  EXPECT_TRUE(object.ok()) << object.status();
  std::string text;
  if (!object.ok()) return text;
  for (const auto& [key, value] : object->items())
    text += WriteJson(Json(key)) + " = " + InlineToml(value) + "\n";
  return text;
}

}  // namespace cudadoctor

#endif  // CUDADOCTOR_TESTS_RULES_TOML_OF_H_

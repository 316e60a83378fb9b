// remedy/template.h: texts and commands with holes.
#ifndef CUDADOCTOR_REMEDY_TEMPLATE_H_
#define CUDADOCTOR_REMEDY_TEMPLATE_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"
#include "rules/rule.h"

namespace cudadoctor {

// A value for a hole. `is_literal` values come from us, not from a log: they enter a command as
// they are ("uv pip", "sudo ").
struct HoleValue {
  ValueType type = ValueType::kText;
  std::string text;
  bool is_literal = false;
};
using FillHole = std::function<std::optional<HoleValue>(std::string_view name)>;

// How a filled hole is written.
enum class Target {
  kText,        // as it is
  kCommand,     // quoted for the shell; a value that may not enter a command does not fill the hole
  kAssignment,  // unquoted, for the value of an environment variable, which is quoted as a whole
};

// `text` with its holes filled: {fact}, {fact|filter|filter}. A [[part]] in which a hole cannot be
// filled is left out; any other hole that cannot be filled makes the whole text absent.
std::optional<std::string> FillTemplate(std::string_view text, Target target, const FillHole& fill);

// The first of the alternatives that can be filled, or an empty string.
std::string FillTexts(const Texts& texts, const FillHole& fill);

// The names in the holes of `text`, without filters; for checking rules.
std::vector<std::string> HolesOf(std::string_view text);

// `value` through a filter: dash, cu, major, minor, base, nodot, sm, dot, lower, jobs. Nothing when
// the value does not fit the filter or there is no such filter.
std::optional<std::string> ApplyFilter(std::string_view filter, const std::string& value);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REMEDY_TEMPLATE_H_

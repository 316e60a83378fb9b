#include "engine/requirement.h"

#include <algorithm>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/views.h"
#include "model/value.h"

namespace cudadoctor {
namespace {

// Longer than any requirement, short enough for a message.
constexpr size_t kMaxBytes = 200;

bool IsNameCharacter(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.';
}

bool IsSpecifierCharacter(char c) {
  return IsNameCharacter(c) || std::string_view("<>=!~,*+").find(c) != std::string_view::npos;
}

// `text` without the blanks that may stand around operators and commas; nothing where another blank
// is left.
std::optional<std::string> WithoutBlanks(std::string_view text) {
  constexpr std::string_view kOperators = "<>=!~,[]";
  std::string joined;
  bool follows_blank = false;
  for (const char c : Std(absl::StripAsciiWhitespace(Absl(text)))) {
    if (c == ' ') {
      follows_blank = true;
      continue;
    }
    const bool may_join = !follows_blank || kOperators.find(c) != std::string_view::npos ||
                          kOperators.find(joined.back()) != std::string_view::npos;
    if (!may_join) return std::nullopt;
    follows_blank = false;
    joined.push_back(c);
  }
  return joined;
}

absl::Status Refuse(std::string_view text) {
  return absl::InvalidArgumentError(absl::StrCat(
      "\"", Absl(text.substr(0, kMaxBytes)),
      "\" is no package as PyPI names it; write a name with or without a version, such as "
      "flash-attn==2.8.3 (folders and URLs are not checked)"));
}

}  // namespace

absl::StatusOr<Requirement> ParseRequirement(std::string_view text) {
  const std::optional<std::string> joined = WithoutBlanks(text);
  if (!joined.has_value()) return Refuse(text);
  Requirement requirement;
  requirement.text = *joined;
  std::string_view rest = requirement.text;
  if (rest.empty() || rest.size() > kMaxBytes ||
      !absl::ascii_isalnum(static_cast<unsigned char>(rest.front())))
    return Refuse(text);
  const size_t name_end = static_cast<size_t>(
      std::find_if_not(rest.begin(), rest.end(), IsNameCharacter) - rest.begin());
  const std::optional<std::string> name = Normalize(ValueType::kPackage, rest.substr(0, name_end));
  if (!name.has_value()) return Refuse(text);
  requirement.package = *name;
  rest.remove_prefix(name_end);
  if (!rest.empty() && rest.front() == '[') {
    const size_t close = rest.find(']');
    if (close == std::string_view::npos) return Refuse(text);
    const std::string_view extras = rest.substr(1, close - 1);
    const auto fits = [](char c) { return IsNameCharacter(c) || c == ','; };
    if (!std::all_of(extras.begin(), extras.end(), fits)) return Refuse(text);
    rest.remove_prefix(close + 1);
  }
  if (rest.empty()) return requirement;
  const bool is_specifier =
      std::string_view("<>=!~").find(rest.front()) != std::string_view::npos &&
      std::all_of(rest.begin(), rest.end(), IsSpecifierCharacter) &&
      absl::ascii_isalnum(static_cast<unsigned char>(rest.back())) + (rest.back() == '*') > 0;
  if (!is_specifier) return Refuse(text);
  const bool is_pinned =
      absl::StartsWith(Absl(rest), "==") && rest.find_first_of(",*") == std::string_view::npos;
  if (!is_pinned) return requirement;
  const std::optional<std::string> version = Normalize(ValueType::kVersion, rest.substr(2));
  if (!version.has_value()) return Refuse(text);
  requirement.version = *version;
  return requirement;
}

}  // namespace cudadoctor

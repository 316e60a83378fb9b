#include "redact/substitute.h"

#include <algorithm>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/views.h"
#include "redact/expression.h"

namespace cudadoctor {
namespace {

// What a byte of a command is to the shell.
enum class Place : char { kBare, kSingle, kDouble, kQuote };

std::optional<std::vector<Place>> PlacesOf(std::string_view command) {
  std::vector<Place> places(command.size(), Place::kBare);
  Place place = Place::kBare;
  for (size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (c == '\\' && place != Place::kSingle && i + 1 < command.size()) {
      places[i] = places[i + 1] = place;
      ++i;
      continue;
    }
    const char quote = place == Place::kSingle ? '\'' : place == Place::kDouble ? '"' : '\0';
    places[i] = place;
    if (quote != '\0' && c == quote) {
      place = Place::kBare;
      places[i] = Place::kQuote;
    } else if (quote == '\0' && (c == '\'' || c == '"')) {
      place = c == '"' ? Place::kDouble : Place::kSingle;
      places[i] = Place::kQuote;
    }
  }
  if (place != Place::kBare) return std::nullopt;
  return places;
}

// $NAME, or ${NAME} where `next` would lengthen the name.
std::string Reference(const std::string& variable, char next) {
  const bool goes_on = absl::ascii_isalnum(static_cast<unsigned char>(next)) || next == '_';
  return goes_on ? absl::StrCat("${", variable, "}") : absl::StrCat("$", variable);
}

char At(std::string_view text, size_t i) { return i < text.size() ? text[i] : '\0'; }

// Whether a single-quoted text keeps its meaning in double quotes.
bool MayBeDoubleQuoted(std::string_view content) {
  // A path of Windows: PowerShell does not join words of differently quoted parts.
  const bool has_drive = content.size() > 2 && content[1] == ':' && content[2] == '\\' &&
                         content.find("\\\\") == std::string_view::npos && !content.ends_with('\\');
  return content.find_first_of(has_drive ? "$`\"" : "$`\"\\!") == std::string_view::npos;
}

// Single quotes around any of `parts` become double ones where they may, so that a variable can
// stand between them.
std::string DoubleQuote(std::string_view command, const std::vector<Place>& places,
                        std::span<const VariablePart> parts) {
  std::string text(command);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\'' || places[i] != Place::kQuote) continue;
    size_t end = i + 1;
    while (end < text.size() && places[end] == Place::kSingle) ++end;
    const bool has_part = std::any_of(parts.begin(), parts.end(), [&](const VariablePart& part) {
      return part.begin > i && part.begin < end;
    });
    if (has_part && MayBeDoubleQuoted(command.substr(i + 1, end - i - 1)))
      text[i] = text[end] = '"';
    i = end;
  }
  return text;
}

}  // namespace

std::optional<std::string> PutVariables(std::string_view command,
                                        std::span<const VariablePart> parts) {
  if (parts.empty()) return std::string(command);
  static const Expression kCmd("(?i)^set [a-z_]+=|%[a-z_]+%");
  if (kCmd.Finds(command)) {
    std::string text(command);
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
      const std::string& variable = part->variable;
      text.replace(part->begin, part->end - part->begin,
                   absl::StrCat("%", variable == "HOME" ? "USERPROFILE" : variable, "%"));
    }
    return text;
  }
  std::optional<std::vector<Place>> places = PlacesOf(command);
  if (!places.has_value()) return std::nullopt;
  const std::string quoted = DoubleQuote(command, *places, parts);
  places = PlacesOf(quoted);
  if (!places.has_value()) return std::nullopt;
  const std::string_view from = quoted;
  std::string text;
  size_t done = 0;
  for (const VariablePart& part : parts) {
    const Place place = (*places)[part.begin];
    const auto first = places->begin() + static_cast<long>(part.begin);
    const auto last = places->begin() + static_cast<long>(part.end);
    if (place == Place::kQuote ||
        std::any_of(first, last, [place](Place other) { return other != place; }))
      return std::nullopt;
    absl::StrAppend(&text, Absl(from.substr(done, part.begin - done)));
    done = part.end;
    if (place == Place::kDouble || (place == Place::kBare && !part.is_quoted_alone)) {
      text += Reference(part.variable, At(from, done));
    } else if (place == Place::kBare) {
      absl::StrAppend(&text, "\"$", part.variable, "\"");
    } else {
      // Right behind the opening quote, or before the closing one, nothing is left to be quoted.
      const bool opens =
          part.begin > 0 && (*places)[part.begin - 1] == Place::kQuote && text.ends_with('\'');
      if (opens) {
        text.pop_back();
      } else {
        text += '\'';
      }
      absl::StrAppend(&text, "\"$", part.variable, "\"");
      if (done < from.size() && (*places)[done] == Place::kQuote) {
        ++done;
      } else {
        text += '\'';
      }
    }
  }
  return absl::StrCat(text, Absl(from.substr(done)));
}

std::string PutVariablesUnquoted(std::string_view value, std::span<const VariablePart> parts) {
  std::string text;
  size_t done = 0;
  for (const VariablePart& part : parts) {
    absl::StrAppend(&text, Absl(value.substr(done, part.begin - done)),
                    Reference(part.variable, At(value, part.end)));
    done = part.end;
  }
  return absl::StrCat(text, Absl(value.substr(done)));
}

}  // namespace cudadoctor

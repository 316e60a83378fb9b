#include "remedy/template.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "base/views.h"
#include "remedy/shell.h"

namespace cudadoctor {
namespace {

// "{name|filter}" at the start of `text`: its length, or 0. A hole's name is in lower case, so
// that "${HOME}" and "{ requirement = … }" are none.
size_t HoleLength(std::string_view text) {
  if (text.empty() || text.front() != '{') return 0;
  size_t i = 1;
  while (i < text.size() && (absl::ascii_islower(static_cast<unsigned char>(text[i])) ||
                             absl::ascii_isdigit(static_cast<unsigned char>(text[i])) ||
                             text[i] == '_' || text[i] == '|')) {
    ++i;
  }
  return i > 1 && i < text.size() && text[i] == '}' &&
                 absl::ascii_islower(static_cast<unsigned char>(text[1]))
             ? i + 1
             : 0;
}

// `value` where it stands in a command: a word of its own, or inside quotes of the rule's author.
std::string QuoteInside(char quote, const std::string& value) {
  if (quote == '\'') return absl::StrReplaceAll(value, {{"'", "'\\''"}});
  if (quote == '"')
    return absl::StrReplaceAll(value, {{"\\", "\\\\"}, {"\"", "\\\""}, {"$", "\\$"}, {"`", "\\`"}});
  return ShellQuote(value);
}

// The quote that is open at the end of a command's beginning, or 0.
char OpenQuote(std::string_view command) {
  char open = 0;
  for (size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (c == '\\' && open != '\'') {
      ++i;
    } else if (c == open) {
      open = 0;
    } else if (open == 0 && (c == '\'' || c == '"')) {
      open = c;
    }
  }
  return open;
}

std::optional<std::string> FillOne(std::string_view hole, Target target, char quote,
                                   const FillHole& fill) {
  const std::vector<std::string> parts = absl::StrSplit(Absl(hole.substr(1, hole.size() - 2)), '|');
  std::optional<HoleValue> value = fill(parts[0]);
  if (!value.has_value()) return std::nullopt;
  for (size_t i = 1; i < parts.size(); ++i) {
    std::optional<std::string> filtered = ApplyFilter(parts[i], value->text);
    if (!filtered.has_value()) return std::nullopt;
    value->text = *std::move(filtered);
  }
  if (target == Target::kText || value->is_literal) return value->text;
  if (!MayEnterCommand(value->type)) return std::nullopt;
  if (target == Target::kAssignment && absl::StrContains(value->text, "$")) return std::nullopt;
  return target == Target::kCommand ? QuoteInside(quote, value->text) : value->text;
}

std::string Digits(std::string_view text) {
  std::string digits;
  for (const char c : text) {
    if (c != '.') digits.push_back(c);
  }
  return digits;
}

// `before` is what stands in front of `text` in the whole template, filled.
std::optional<std::string> FillPart(std::string_view text, std::string_view before, Target target,
                                    const FillHole& fill) {
  std::string filled(before);
  while (!text.empty()) {
    if (absl::StartsWith(Absl(text), "[[")) {
      const size_t end = text.find("]]");
      if (end != std::string_view::npos) {
        filled = FillPart(text.substr(2, end - 2), filled, target, fill).value_or(filled);
        text.remove_prefix(end + 2);
        continue;
      }
    }
    if (const size_t length = HoleLength(text); length > 0) {
      const std::optional<std::string> value =
          FillOne(text.substr(0, length), target, OpenQuote(filled), fill);
      if (!value.has_value()) return std::nullopt;
      filled.append(*value);
      text.remove_prefix(length);
      continue;
    }
    filled.push_back(text.front());
    text.remove_prefix(1);
  }
  return filled;
}

}  // namespace

std::optional<std::string> FillTemplate(std::string_view text, Target target,
                                        const FillHole& fill) {
  return FillPart(text, "", target, fill);
}

std::string FillTexts(const Texts& texts, const FillHole& fill) {
  for (const std::string& text : texts) {
    if (std::optional<std::string> filled = FillTemplate(text, Target::kText, fill))
      return *std::move(filled);
  }
  return "";
}

std::vector<std::string> HolesOf(std::string_view text) {
  std::vector<std::string> names;
  for (size_t i = 0; i < text.size(); ++i) {
    const size_t length = HoleLength(text.substr(i));
    if (length == 0) continue;
    const std::string_view inside = text.substr(i + 1, length - 2);
    names.emplace_back(inside.substr(0, inside.find('|')));
  }
  return names;
}

std::optional<std::string> ApplyFilter(std::string_view filter, const std::string& value) {
  const std::string base = value.substr(0, value.find('+'));
  const std::vector<std::string> parts = absl::StrSplit(base, '.');
  if (filter == "lower") return absl::AsciiStrToLower(value);
  if (filter == "jobs") return value == "1" ? "1 job" : value + " jobs";
  if (filter == "base") return base;
  if (filter == "major") return parts[0];
  if (filter == "minor") {
    if (parts.size() < 2) return std::nullopt;
    return parts[0] + "." + parts[1];
  }
  if (filter == "dash") return absl::StrReplaceAll(base, {{".", "-"}});
  if (filter == "nodot") return Digits(base);
  if (filter == "cu") {
    if (parts.size() < 2) return std::nullopt;
    return "cu" + parts[0] + parts[1];
  }
  const std::optional<std::string> capability = Capability(value);
  if (!capability.has_value()) return std::nullopt;
  if (filter == "sm") return Digits(*capability);
  if (filter == "dot") return capability;
  return std::nullopt;
}

}  // namespace cudadoctor

#include "model/value.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "base/views.h"

namespace cudadoctor {
namespace {

constexpr std::array<std::pair<ValueType, std::string_view>, 19> kTypeNames = {{
    {ValueType::kVersion, "version"},
    {ValueType::kPackage, "package"},
    {ValueType::kModule, "module"},
    {ValueType::kPath, "path"},
    {ValueType::kFile, "file"},
    {ValueType::kArchitecture, "architecture"},
    {ValueType::kArchList, "arch-list"},
    {ValueType::kInteger, "integer"},
    {ValueType::kSize, "size"},
    {ValueType::kSymbol, "symbol"},
    {ValueType::kLibrary, "library"},
    {ValueType::kHeader, "header"},
    {ValueType::kWord, "word"},
    {ValueType::kUrl, "url"},
    {ValueType::kRequirement, "requirement"},
    {ValueType::kGpuName, "gpu-name"},
    {ValueType::kCommand, "command"},
    {ValueType::kFlag, "flag"},
    {ValueType::kText, "text"},
}};

constexpr size_t kMaxValueBytes = 300;
constexpr size_t kMaxTextBytes = 4000;

bool AllOf(std::string_view text, std::string_view punctuation) {
  for (const char c : text) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c)) &&
        punctuation.find(c) == std::string_view::npos) {
      return false;
    }
  }
  return !text.empty();
}

bool IsPrintable(std::string_view text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) return false;
  }
  return !text.empty();
}

bool StartsAlnum(std::string_view text) {
  return !text.empty() && absl::ascii_isalnum(static_cast<unsigned char>(text.front()));
}

std::optional<std::string> NormalizeVersion(std::string_view raw) {
  std::string text = absl::StrReplaceAll(std::string(raw), {{"%2B", "+"}, {"%2b", "+"}});
  if (absl::StartsWith(text, "v") || absl::StartsWith(text, "V")) text.erase(0, 1);
  while (!text.empty() && (text.back() == '.' || text.back() == '-' || text.back() == '+'))
    text.pop_back();
  if (text.empty() || !absl::ascii_isdigit(static_cast<unsigned char>(text.front())))
    return std::nullopt;
  if (!AllOf(text, ".+-_!")) return std::nullopt;
  return text;
}

std::optional<std::string> NormalizeArchitecture(std::string_view raw) {
  if (!AllOf(raw, "._+")) return std::nullopt;
  return std::string(raw);
}

std::optional<std::string> NormalizeArchList(std::string_view raw) {
  std::vector<std::string> entries;
  for (const absl::string_view entry :
       absl::StrSplit(Absl(raw), absl::ByAnyChar(";, "), absl::SkipEmpty())) {
    std::optional<std::string> one = NormalizeArchitecture(Std(absl::StripAsciiWhitespace(entry)));
    if (!one.has_value()) return std::nullopt;
    entries.push_back(*std::move(one));
  }
  if (entries.empty()) return std::nullopt;
  return absl::StrJoin(entries, ";");
}

std::optional<std::string> NormalizeInteger(std::string_view raw) {
  int64_t value = 0;
  if (raw.size() > 18 || !absl::SimpleAtoi(Absl(raw), &value)) return std::nullopt;
  return std::to_string(value);
}

// GiB of "24.4 GiB", "1234kB", "62Gi"; a figure without a unit counts as bytes.
std::optional<std::string> NormalizeSize(std::string_view raw) {
  const std::string text = absl::StrReplaceAll(std::string(raw), {{",", ""}, {" ", ""}});
  if (text.empty() || !absl::ascii_isdigit(static_cast<unsigned char>(text.front())) ||
      absl::StartsWith(text, "0x"))
    return std::nullopt;
  const char* begin = text.c_str();
  char* end = nullptr;
  const double figure = std::strtod(begin, &end);
  if (end == begin || figure < 0 || figure > 1e18) return std::nullopt;
  const std::string unit = absl::AsciiStrToLower(end);
  double bytes = figure;
  if (absl::StartsWith(unit, "t")) {
    bytes *= 1099511627776.0;
  } else if (absl::StartsWith(unit, "g")) {
    bytes *= 1073741824.0;
  } else if (absl::StartsWith(unit, "m")) {
    bytes *= 1048576.0;
  } else if (absl::StartsWith(unit, "k")) {
    bytes *= 1024.0;
  } else if (!unit.empty() && unit != "b" && unit != "bytes") {
    return std::nullopt;
  }
  const double gib = bytes / 1073741824.0;
  return gib >= 100 ? absl::StrFormat("%.0f", gib) : absl::StrFormat("%.1f", gib);
}

std::optional<std::string> When(bool fits, std::string_view text) {
  if (!fits) return std::nullopt;
  return std::string(text);
}

}  // namespace

std::optional<ValueType> TypeFromName(std::string_view name) {
  for (const auto& [type, known] : kTypeNames) {
    if (known == name) return type;
  }
  return std::nullopt;
}

std::string_view TypeName(ValueType type) {
  for (const auto& [known, name] : kTypeNames) {
    if (known == type) return name;
  }
  return "text";
}

std::string PackageKey(std::string_view name) {
  std::string key;
  for (const char c : name) {
    const bool is_mark = c == '-' || c == '_' || c == '.';
    if (is_mark && key.ends_with('-')) continue;
    key.push_back(is_mark ? '-' : absl::ascii_tolower(static_cast<unsigned char>(c)));
  }
  return key;
}

bool MayEnterCommand(ValueType type) {
  return type != ValueType::kText && type != ValueType::kCommand;
}

std::optional<std::string> Normalize(ValueType type, std::string_view raw) {
  const std::string_view text = Std(absl::StripAsciiWhitespace(Absl(raw)));
  const bool is_long_type =
      type == ValueType::kText || type == ValueType::kCommand || type == ValueType::kSymbol;
  if (text.empty() || text.size() > (is_long_type ? kMaxTextBytes : kMaxValueBytes))
    return std::nullopt;
  switch (type) {
    case ValueType::kVersion:
      return NormalizeVersion(text);
    case ValueType::kPackage:
      if (!StartsAlnum(text) || !AllOf(text, "._-")) return std::nullopt;
      return absl::StrReplaceAll(std::string(text), {{"_", "-"}});
    case ValueType::kModule:
      return When(
          !absl::ascii_isdigit(static_cast<unsigned char>(text.front())) && AllOf(text, "._"),
          text);
    case ValueType::kPath:
      return When(AllOf(text, "/\\._-+:~@ ()=,%") && text.front() != '-', text);
    case ValueType::kFile:
      return When(AllOf(text, "/\\._-+:~@=,%") && text.front() != '-', text);
    case ValueType::kArchitecture:
      return NormalizeArchitecture(text);
    case ValueType::kArchList:
      return NormalizeArchList(text);
    case ValueType::kInteger:
      return NormalizeInteger(text);
    case ValueType::kSize:
      return NormalizeSize(text);
    case ValueType::kSymbol:
      return When(AllOf(text, "_$.@:<>(),&*~[] -+=!"), text);
    case ValueType::kLibrary:
      return When((StartsAlnum(text) || text.front() == '_') && AllOf(text, "._-+"), text);
    case ValueType::kHeader:
      return When((StartsAlnum(text) || text.front() == '_' || text.front() == '.') &&
                      AllOf(text, "/\\._-+"),
                  text);
    case ValueType::kWord:
      return When(text.front() != '-' && AllOf(text, "._-+/"), text);
    case ValueType::kUrl:
      return When(AllOf(text, ":/.-_~%+@?=&#,[]*") && text.find("://") != std::string_view::npos,
                  text);
    case ValueType::kRequirement:
      return When((StartsAlnum(text)) && AllOf(text, "._-+[]=<>!~,*@:/ "), text);
    case ValueType::kGpuName:
      return When(StartsAlnum(text) && AllOf(text, " ._-+()/"), text);
    case ValueType::kFlag:
      return When(text == "yes", text);
    case ValueType::kCommand:
    case ValueType::kText:
      return When(IsPrintable(text), text);
  }
  return std::nullopt;
}

int CompareVersions(std::string_view a, std::string_view b, VersionPart part) {
  const auto numbers = [](std::string_view version) {
    std::vector<int64_t> result;
    version = version.substr(0, version.find('+'));
    for (size_t i = 0; i < version.size();) {
      if (!absl::ascii_isdigit(static_cast<unsigned char>(version[i]))) break;
      int64_t number = 0;
      while (i < version.size() && absl::ascii_isdigit(static_cast<unsigned char>(version[i]))) {
        if (number < 1'000'000'000'000) number = number * 10 + (version[i] - '0');
        ++i;
      }
      result.push_back(number);
      if (i >= version.size() || version[i] != '.') break;
      ++i;
    }
    return result;
  };
  const std::vector<int64_t> left = numbers(a);
  const std::vector<int64_t> right = numbers(b);
  const size_t limit = part == VersionPart::kMajor   ? 1
                       : part == VersionPart::kMinor ? 2
                                                     : std::max(left.size(), right.size());
  for (size_t i = 0; i < limit; ++i) {
    const int64_t x = i < left.size() ? left[i] : 0;
    const int64_t y = i < right.size() ? right[i] : 0;
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}

std::optional<std::string> Capability(std::string_view architecture) {
  for (const std::string_view prefix : {"sm_", "compute_", "lto_", "SM_", "sm", "SM"}) {
    if (absl::StartsWith(Absl(architecture), Absl(prefix))) {
      architecture.remove_prefix(prefix.size());
      break;
    }
  }
  architecture = architecture.substr(0, architecture.find('+'));
  while (!architecture.empty() &&
         absl::ascii_isalpha(static_cast<unsigned char>(architecture.back()))) {
    architecture.remove_suffix(1);
  }
  if (architecture.empty() || architecture.size() > 5) return std::nullopt;
  for (const char c : architecture) {
    if (!absl::ascii_isdigit(static_cast<unsigned char>(c)) && c != '.') return std::nullopt;
  }
  if (const size_t dot = architecture.find('.'); dot != std::string_view::npos) {
    if (dot == 0 || dot + 1 == architecture.size()) return std::nullopt;
    return std::string(architecture);
  }
  if (architecture.size() < 2) return std::nullopt;
  return absl::StrFormat("%s.%c", std::string(architecture.substr(0, architecture.size() - 1)),
                         architecture.back());
}

}  // namespace cudadoctor

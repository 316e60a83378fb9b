#include "toml/toml.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "base/views.h"
#include "json/json.h"

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
// toml++ 3.3 asserts that a key follows a '[', or with NDEBUG lets the compiler assume it; for any
// other character it has an error further down.
#undef NDEBUG
#define TOML_ASSERT(condition) static_cast<void>(0)
#include "toml++/toml.h"

namespace cudadoctor {
namespace {

// Where something stands: lines from 1, columns in characters from 1.
struct Place {
  size_t line = 1;
  size_t column = 1;
};

Place PlaceOf(const toml::source_region& region) {
  return {std::max<size_t>(region.begin.line, 1), std::max<size_t>(region.begin.column, 1)};
}

// The part of `line` before its character number `characters` from 0, in bytes.
size_t BytesOf(std::string_view line, size_t characters) {
  size_t bytes = 0;
  while (bytes < line.size() && characters > 0) {
    ++bytes;
    while (bytes < line.size() && (static_cast<unsigned char>(line[bytes]) & 0xC0) == 0x80) ++bytes;
    --characters;
  }
  return bytes;
}

std::string Show(std::string_view text, std::string_view origin, Place place,
                 std::string_view what) {
  constexpr size_t kMostCharacters = 90;  // of the line, on either side of the place
  std::string file(origin);               // a line break in its name must not look like one of ours
  std::replace(file.begin(), file.end(), '\n', '?');
  std::string message = absl::StrCat(file, ":", place.line, ":", place.column, ": ", Absl(what));
  const std::vector<absl::string_view> lines = absl::StrSplit(Absl(text), '\n');
  if (place.line > lines.size()) return message;
  std::string_view line = Std(lines[place.line - 1]);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  size_t before = place.column - 1;
  if (before > kMostCharacters) {
    line.remove_prefix(BytesOf(line, before - kMostCharacters));
    before = kMostCharacters;
  }
  std::string shown(line.substr(0, BytesOf(line, before + kMostCharacters)));
  std::replace(shown.begin(), shown.end(), '\t', ' ');
  absl::StrAppendFormat(&message, "\n%5d | %s\n      | %s^", place.line, shown,
                        std::string(before, ' '));
  return message;
}

using Entry = std::pair<const toml::key*, const toml::node*>;

// A table's entries in the order of the file; toml++ sorts them by name.
std::vector<Entry> EntriesOf(const toml::table& table) {
  std::vector<Entry> entries;
  for (const auto& [key, node] : table) entries.emplace_back(&key, &node);
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    const toml::source_position& first = a.first->source().begin;
    const toml::source_position& second = b.first->source().begin;
    return first.line != second.line ? first.line < second.line : first.column < second.column;
  });
  return entries;
}

// The place of the first date in `node` is kept in `date`.
Json ToJson(const toml::node& node, const toml::node** date) {
  if (const toml::table* table = node.as_table(); table != nullptr) {
    Json object = Json::object();
    for (const auto& [key, value] : EntriesOf(*table))
      object[std::string(key->str())] = ToJson(*value, date);
    return object;
  }
  if (const toml::array* array = node.as_array(); array != nullptr) {
    Json list = Json::array();
    for (const toml::node& element : *array) list.push_back(ToJson(element, date));
    return list;
  }
  if (const auto* text = node.as_string(); text != nullptr) return text->get();
  if (const auto* number = node.as_integer(); number != nullptr) return number->get();
  if (const auto* number = node.as_floating_point(); number != nullptr) return number->get();
  if (const auto* flag = node.as_boolean(); flag != nullptr) return flag->get();
  if (*date == nullptr) *date = &node;
  return nullptr;
}

// The place of byte `at` of the string `node`; nothing when it is written with escapes.
std::optional<Place> PlaceWithin(std::string_view text, const toml::node& node, size_t at) {
  const auto* string = node.as_string();
  if (string == nullptr) return std::nullopt;
  const Place value = PlaceOf(node.source());
  size_t start = 0;
  for (size_t line = 1; line < value.line && start != std::string_view::npos; ++line)
    start = text.find('\n', start) + 1;
  start = std::min(start, text.size());
  start += BytesOf(text.substr(start), value.column - 1);
  const std::string_view quotes = text.substr(start, 3);
  const bool is_long = quotes == "'''" || quotes == "\"\"\"";
  start = std::min(start + (is_long ? 3 : 1), text.size());
  if (is_long && text.substr(start, 1) == "\n") ++start;
  if (text.substr(start, string->get().size()) != string->get()) return std::nullopt;
  const std::string_view before = text.substr(0, start + std::min(at, string->get().size()));
  const size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  const auto is_first_byte = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  return Place{1 + static_cast<size_t>(std::count(before.begin(), before.end(), '\n')),
               1 + static_cast<size_t>(
                       std::count_if(before.begin() + line_start, before.end(), is_first_byte))};
}

// The element of `array` that a step of a pointer names by its number.
const toml::node* ElementOf(const toml::array& array, std::string_view step) {
  size_t index = 0;
  return absl::SimpleAtoi(Absl(step), &index) ? array.get(index) : nullptr;
}

}  // namespace

absl::StatusOr<Json> ParseToml(std::string_view text, std::string_view origin) {
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return absl::InvalidArgumentError(
        Show(text, origin, PlaceOf(error.source()),
             absl::StrCat("not valid TOML: ", Absl(error.description()))));
  }
  const toml::node* date = nullptr;
  Json value = ToJson(parsed.table(), &date);
  if (date != nullptr) {
    return absl::InvalidArgumentError(
        Show(text, origin, PlaceOf(date->source()), "a date must be a string; put it in quotes"));
  }
  return value;
}

std::string MistakeInToml(std::string_view text, std::string_view origin, std::string_view pointer,
                          std::string_view what, std::optional<size_t> at) {
  const toml::parse_result parsed = toml::parse(text);
  Place place;
  if (!parsed) return Show(text, origin, place, what);
  const toml::node* node = &parsed.table();
  for (const absl::string_view step : absl::StrSplit(Absl(pointer), '/', absl::SkipEmpty())) {
    const toml::node* next = nullptr;
    if (const toml::table* table = node->as_table(); table != nullptr) {
      for (const auto& [key, value] : *table) {
        if (key.str() != Std(step)) continue;
        next = &value;
        place = PlaceOf(key.source());
      }
    } else if (const toml::array* array = node->as_array(); array != nullptr) {
      next = ElementOf(*array, Std(step));
      if (next != nullptr) place = PlaceOf(next->source());
    }
    if (next == nullptr) break;
    node = next;
  }
  if (at.has_value()) place = PlaceWithin(text, *node, *at).value_or(place);
  return Show(text, origin, place, what);
}

}  // namespace cudadoctor

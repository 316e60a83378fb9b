#include "rules/json_reader.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/views.h"
#include "json/json.h"
#include "toml/toml.h"

namespace cudadoctor {

void JsonDocument::Fail(std::string_view pointer, std::string_view what, std::optional<size_t> at) {
  if (status.ok()) status = absl::InvalidArgumentError(Mistake(origin, source, pointer, what, at));
}

std::string Mistake(std::string_view origin, std::string_view source, std::string_view pointer,
                    std::string_view what, std::optional<size_t> at) {
  if (!source.empty()) return MistakeInToml(source, origin, pointer, what, at);
  return absl::StrCat(Absl(origin), ": ", pointer.empty() ? "/" : Absl(pointer), ": ", Absl(what));
}

ObjectReader::ObjectReader(JsonDocument& document, const Json& json, std::string pointer)
    : document_(document), json_(json), pointer_(std::move(pointer)) {}

ObjectReader::ObjectReader(JsonDocument& document, const Json& json, std::string pointer,
                           std::initializer_list<std::string_view> keys)
    : ObjectReader(document, json, std::move(pointer)) {
  if (!json.is_object()) {
    document_.Fail(pointer_, "must be a table");
    return;
  }
  for (const auto& [key, value] : json.items()) {
    if (std::find(keys.begin(), keys.end(), std::string_view(key)) != keys.end()) continue;
    std::vector<std::string> known(keys.begin(), keys.end());
    document_.Fail(Pointer(key),
                   absl::StrCat("unknown key; known here: ", absl::StrJoin(known, ", ")));
  }
}

const Json* ObjectReader::Get(std::string_view key) const {
  if (!json_.is_object()) return nullptr;
  const auto found = json_.find(std::string(key));
  return found == json_.end() ? nullptr : &*found;
}

bool ObjectReader::Has(std::string_view key) const { return Get(key) != nullptr; }

std::string ObjectReader::Pointer(std::string_view key) const {
  return absl::StrCat(pointer_, "/", Absl(key));
}

void ObjectReader::Fail(std::string_view key, std::string_view what, std::optional<size_t> at) {
  document_.Fail(Pointer(key), what, at);
}

std::string ObjectReader::Required(std::string_view key) {
  std::string value = Optional(key);
  if (value.empty()) Fail(key, "must be a string that is not empty");
  return value;
}

std::string ObjectReader::Optional(std::string_view key) {
  const Json* value = Get(key);
  if (value == nullptr) return "";
  if (!value->is_string()) {
    Fail(key, "must be a string");
    return "";
  }
  return value->get<std::string>();
}

bool ObjectReader::Flag(std::string_view key) {
  const Json* value = Get(key);
  if (value == nullptr) return false;
  if (!value->is_boolean()) Fail(key, "must be true or false");
  return value->is_boolean() && value->get<bool>();
}

int ObjectReader::Integer(std::string_view key) {
  const Json* value = Get(key);
  if (value == nullptr) return 0;
  if (!value->is_number_integer() || value->get<int64_t>() < 0 ||
      value->get<int64_t>() > 1'000'000) {
    Fail(key, "must be a whole number from 0 to 1000000");
    return 0;
  }
  return value->get<int>();
}

Texts ObjectReader::TextsOf(std::string_view key) {
  const Json* value = Get(key);
  if (value == nullptr) return {};
  if (value->is_string()) return {value->get<std::string>()};
  return Strings(key);
}

std::vector<std::string> ObjectReader::Strings(std::string_view key) {
  std::vector<std::string> strings;
  for (const auto& [element, pointer] : Elements(key)) {
    if (element->is_string()) {
      strings.push_back(element->get<std::string>());
    } else {
      document_.Fail(pointer, "must be a string");
    }
  }
  return strings;
}

std::vector<std::pair<std::string, std::string>> ObjectReader::StringMap(std::string_view key) {
  std::vector<std::pair<std::string, std::string>> pairs;
  const Json* value = Get(key);
  if (value == nullptr) return pairs;
  if (!value->is_object()) {
    Fail(key, "must be a table of strings");
    return pairs;
  }
  for (const auto& [name, text] : value->items()) {
    if (text.is_string()) {
      pairs.emplace_back(name, text.get<std::string>());
    } else {
      Fail(key, absl::StrCat("the value of ", name, " must be a string"));
    }
  }
  return pairs;
}

std::vector<std::pair<std::string, std::string>> ObjectReader::FragmentMap(std::string_view key) {
  std::vector<std::pair<std::string, std::string>> fragments;
  const Json* value = Get(key);
  if (value == nullptr) return fragments;
  if (!value->is_object()) {
    Fail(key, "must be a table of strings and lists of strings");
    return fragments;
  }
  ObjectReader names(document_, *value, Pointer(key));
  for (const auto& [name, part] : value->items()) {
    const Texts texts = names.TextsOf(name);
    if (texts.empty())
      names.Fail(name, "must be a part of an expression, or a list of alternatives");
    fragments.emplace_back(name, part.is_array()
                                     ? absl::StrCat("(?:", absl::StrJoin(texts, "|"), ")")
                                     : absl::StrJoin(texts, ""));
  }
  return fragments;
}

int ObjectReader::OneOf(std::string_view key, std::initializer_list<std::string_view> names) {
  const std::string value = Required(key);
  const auto found = std::find(names.begin(), names.end(), value);
  if (found != names.end()) return static_cast<int>(found - names.begin());
  const std::vector<std::string> known(names.begin(), names.end());
  if (!value.empty())
    Fail(key, absl::StrCat("\"", value, "\" is not one of ", absl::StrJoin(known, ", ")));
  return 0;
}

std::vector<std::pair<const Json*, std::string>> ObjectReader::Elements(std::string_view key) {
  std::vector<std::pair<const Json*, std::string>> elements;
  const Json* value = Get(key);
  if (value == nullptr) return elements;
  if (!value->is_array()) {
    Fail(key, "must be a list");
    return elements;
  }
  for (size_t i = 0; i < value->size(); ++i)
    elements.emplace_back(&(*value)[i], absl::StrCat(Pointer(key), "/", i));
  return elements;
}

}  // namespace cudadoctor

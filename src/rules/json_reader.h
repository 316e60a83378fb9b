// rules/json_reader.h: reads one JSON object strictly; the first mistake is kept with its pointer.
#ifndef CUDADOCTOR_RULES_JSON_READER_H_
#define CUDADOCTOR_RULES_JSON_READER_H_

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "json/json_fwd.h"
#include "rules/rule.h"

namespace cudadoctor {

// What a document's readers share: its name, the text it was read from, and the first mistake.
struct JsonDocument {
  std::string origin;
  std::string_view source;  // TOML, for the line of a mistake; empty: the pointer is said instead
  absl::Status status = absl::OkStatus();

  void Fail(std::string_view pointer, std::string_view what, std::optional<size_t> at = {});
};

// What is wrong with the value at `pointer` of a file: with its line and a caret where `source`,
// the TOML it was read from, is at hand. `at` is a place in the text that the value is.
std::string Mistake(std::string_view origin, std::string_view source, std::string_view pointer,
                    std::string_view what, std::optional<size_t> at = {});

// One object of a document. Keys that are asked for by none of its calls must be named in the
// constructor. After a mistake, calls return empty values.
class ObjectReader {
 public:
  // Fails when `json` is no object or holds a key that is not in `keys`.
  ObjectReader(JsonDocument& document, const Json& json, std::string pointer,
               std::initializer_list<std::string_view> keys);

  bool Has(std::string_view key) const;
  std::string Required(std::string_view key);  // a string that is not empty
  std::string Optional(std::string_view key);  // a string, or empty
  bool Flag(std::string_view key);             // a boolean, or false
  int Integer(std::string_view key);           // or 0
  Texts TextsOf(std::string_view key);         // one string or a list of strings
  std::vector<std::string> Strings(std::string_view key);
  std::vector<std::pair<std::string, std::string>> StringMap(std::string_view key);
  // Parts of expressions: each a string, or a list of alternatives, which become "(?:…|…)".
  std::vector<std::pair<std::string, std::string>> FragmentMap(std::string_view key);
  // Index of the value of `key` in `names`; fails for another value.
  int OneOf(std::string_view key, std::initializer_list<std::string_view> names);

  // The elements of a list (none when the key is absent), each with its pointer.
  std::vector<std::pair<const Json*, std::string>> Elements(std::string_view key);
  const Json* Get(std::string_view key) const;
  std::string Pointer(std::string_view key) const;
  void Fail(std::string_view key, std::string_view what, std::optional<size_t> at = {});
  JsonDocument& document() { return document_; }

 private:
  // Of any keys.
  ObjectReader(JsonDocument& document, const Json& json, std::string pointer);

  JsonDocument& document_;
  const Json& json_;
  std::string pointer_;
};

}  // namespace cudadoctor

#endif  // CUDADOCTOR_RULES_JSON_READER_H_

#include "host/host_facts.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/views.h"
#include "json/json.h"

namespace cudadoctor {
namespace {

constexpr const char* kSchema = "cudadoctor.host/1";

}  // namespace

absl::StatusOr<std::vector<Fact>> ParseHostFacts(std::string_view text, std::string_view origin) {
  ASSIGN_OR_RETURN(const Json json, ParseJson(text, origin));
  if (!json.is_object() || TextMember(json, "schema") != kSchema || !json.contains("facts") ||
      !json["facts"].is_array()) {
    return absl::InvalidArgumentError(
        absl::StrCat(Absl(origin), ": is no host description; expected {\"schema\": \"", kSchema,
                     "\", \"facts\": […]}"));
  }
  std::vector<Fact> facts;
  for (size_t i = 0; i < json["facts"].size(); ++i) {
    const Json& entry = json["facts"][i];
    if (!entry.is_object())
      return absl::InvalidArgumentError(
          absl::StrCat(Absl(origin), ": /facts/", i, ": must be an object"));
    const std::optional<ValueType> type = TypeFromName(TextMember(entry, "type"));
    std::optional<std::string> value =
        Normalize(type.value_or(ValueType::kText), TextMember(entry, "value"));
    const std::string name = TextMember(entry, "name");
    if (!type.has_value() || !value.has_value() || name.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(
          Absl(origin), ": /facts/", i, ": needs a name, a known type and a value that fits it"));
    }
    std::string at;
    if (entry.contains("at")) {
      std::optional<std::string> place = Normalize(ValueType::kText, TextMember(entry, "at"));
      if (!place.has_value())
        return absl::InvalidArgumentError(
            absl::StrCat(Absl(origin), ": /facts/", i, "/at: must be a printable text"));
      at = *std::move(place);
    }
    facts.push_back({name, *type, *std::move(value), Origin::kHost, 0, 0, std::move(at)});
  }
  return facts;
}

std::string HostFactsToJson(std::span<const Fact> facts) {
  Json json = {{"schema", kSchema}, {"facts", Json::array()}};
  for (const Fact& fact : facts) {
    // A size without its unit would be read as bytes.
    Json entry = {{"name", fact.name},
                  {"type", std::string(TypeName(fact.type))},
                  {"value", fact.type == ValueType::kSize ? fact.value + " GiB" : fact.value}};
    if (!fact.at.empty()) entry["at"] = fact.at;
    json["facts"].push_back(std::move(entry));
  }
  return WriteJson(json, 1) + "\n";
}

}  // namespace cudadoctor

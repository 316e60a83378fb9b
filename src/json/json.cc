#include "json/json.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace cudadoctor {
namespace {

std::string Position(std::string_view text, std::string_view origin, size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const size_t start = before.rfind('\n');
  const size_t column = before.size() - (start == std::string_view::npos ? 0 : start + 1);
  return absl::StrCat(std::string(origin), ":", line, ":", std::max<size_t>(column, 1));
}

// nlohmann's own "[json.exception.parse_error.101] parse error at line 3, column 2: " is dropped:
// the position is said once, in front.
std::string Reason(std::string_view what) {
  const size_t colon = what.find(": ", what.find("column"));
  std::string reason(colon == std::string_view::npos ? what : what.substr(colon + 2));
  return reason;
}

// "[json.exception.out_of_range.406] number overflow …" without what stands in brackets.
std::string WithoutId(std::string_view what) {
  const size_t bracket = what.find("] ");
  return std::string(bracket == std::string_view::npos ? what : what.substr(bracket + 2));
}

// Where `quoted` stands last as a key, not as a value.
size_t LastKey(std::string_view text, const std::string& quoted) {
  size_t found = text.rfind(quoted);
  while (found != std::string_view::npos && found > 0) {
    const size_t next = text.find_first_not_of(" \t\r\n", found + quoted.size());
    if (next != std::string_view::npos && text[next] == ':') return found;
    found = text.rfind(quoted, found - 1);
  }
  return 0;
}

}  // namespace

absl::StatusOr<Json> ParseJson(std::string_view text, std::string_view origin) {
  std::vector<std::set<std::string>> open;
  std::string duplicate;
  const Json::parser_callback_t refuse_duplicates = [&](int, Json::parse_event_t event,
                                                        Json& parsed) {
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key && duplicate.empty()) {
      const auto& key = parsed.get_ref<const std::string&>();
      if (!open.back().insert(key).second) duplicate = key;
    }
    return true;
  };
  try {
    Json value = Json::parse(text.begin(), text.end(), refuse_duplicates);
    if (!duplicate.empty()) {
      const std::string quoted = absl::StrCat("\"", duplicate, "\"");
      return absl::InvalidArgumentError(
          absl::StrCat(Position(text, origin, LastKey(text, quoted) + 1), ": the key ", quoted,
                       " stands twice in one object; remove one"));
    }
    return value;
  } catch (const Json::parse_error& error) {
    return absl::InvalidArgumentError(absl::StrCat(Position(text, origin, error.byte),
                                                   ": not valid JSON: ", Reason(error.what())));
  } catch (const Json::exception& error) {  // a number that no type holds
    return absl::InvalidArgumentError(
        absl::StrCat(std::string(origin), ": not valid JSON: ", WithoutId(error.what())));
  }
}

const Json* Member(const Json& object, std::string_view key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(std::string(key));
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

std::string TextMember(const Json& object, std::string_view key) {
  const Json* member = Member(object, key);
  return member != nullptr && member->is_string() ? member->get<std::string>() : "";
}

std::string WriteJson(const Json& value, int indent) {
  return value.dump(indent, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

}  // namespace cudadoctor

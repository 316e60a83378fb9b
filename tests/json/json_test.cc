#include "json/json.h"

#include <string>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

TEST(ParseJsonTest, SaysWhatAndWhere) {
  struct Row {
    const char* name;
    const char* text;
    const char* start;  // of the message
  };
  const Row rows[] = {
      {"empty", "", "x.json:1:1: not valid JSON: "},
      {"a missing bracket", "{\"a\": [1, 2}", "x.json:1:12: not valid JSON: "},
      {"on the third line", "{\n  \"a\": 1,\n  b\n}", "x.json:3:3: not valid JSON: "},
      {"a comma at the end", "[1,\n]", "x.json:2:1: not valid JSON: "},
      {"a comment", "// x\n{}", "x.json:1:1: not valid JSON: "},
      {"text behind the value", "{} {}", "x.json:1:4: not valid JSON: "},
  };
  for (const Row& row : rows) {
    const absl::StatusOr<Json> json = ParseJson(row.text, "x.json");
    ASSERT_EQ(json.status().code(), absl::StatusCode::kInvalidArgument) << row.name;
    const std::string message(json.status().message());
    EXPECT_EQ(message.substr(0, std::string(row.start).size()), row.start)
        << row.name << ": " << message;
    EXPECT_EQ(message.find("json.exception"), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

TEST(ParseJsonTest, RefusesAKeyThatStandsTwice) {
  struct Row {
    const char* name;
    const char* text;
    const char* message;
  };
  const Row rows[] = {
      {"at the top", "{\"a\": 1,\n \"b\": 2,\n \"a\": 3}",
       "x.json:3:2: the key \"a\" stands twice in one object; remove one"},
      {"nested", "{\"x\": [{\"a\": 1, \"a\": 1}]}",
       "x.json:1:17: the key \"a\" stands twice in one object; remove one"},
      {"the later text of that name is a value", "{\"a\": 1, \"a\": 2, \"b\": \"a\"}",
       "x.json:1:10: the key \"a\" stands twice in one object; remove one"},
  };
  for (const Row& row : rows) {
    const absl::StatusOr<Json> json = ParseJson(row.text, "x.json");
    ASSERT_EQ(json.status().code(), absl::StatusCode::kInvalidArgument) << row.name;
    EXPECT_EQ(std::string(json.status().message()), row.message) << row.name;
  }
}

TEST(ParseJsonTest, TakesEqualKeysOfDifferentObjects) {
  EXPECT_TRUE(ParseJson("{\"a\": {\"a\": [{\"a\": 1}, {\"a\": 2}]}}", "x").ok());
}

TEST(ParseJsonTest, KeepsTheOrderOfKeys) {
  const absl::StatusOr<Json> json = ParseJson("{\"z\": 1, \"a\": 2}", "x");
  ASSERT_TRUE(json.ok()) << json.status();
  EXPECT_EQ(WriteJson(*json), "{\"z\":1,\"a\":2}");
}

TEST(ParseJsonTest, SurvivesDeepNesting) {
  const std::string text = std::string(2000, '[') + std::string(2000, ']');
  EXPECT_TRUE(ParseJson(text, "x").ok());
  EXPECT_FALSE(ParseJson(std::string(2000, '['), "x").ok());
}

TEST(WriteJsonTest, WritesAnyBytes) {
  EXPECT_EQ(WriteJson(Json{{"a", "caf\xE9"}}), "{\"a\":\"caf\xEF\xBF\xBD\"}");
  EXPECT_EQ(WriteJson(Json{{"a", "\xE2\x94\x82\n\""}}), "{\"a\":\"\xE2\x94\x82\\n\\\"\"}");
  EXPECT_EQ(WriteJson(Json{{"a", 1}}, 2), "{\n  \"a\": 1\n}");
}

TEST(ParseJsonTest, ANumberThatNoTypeHolds) {
  EXPECT_EQ(
      ParseJson("[1e999999]", "h.json").status(),
      absl::InvalidArgumentError("h.json: not valid JSON: number overflow parsing '1e999999'"));
}

TEST(MemberTest, OfObjectsOnly) {
  const Json object = {{"text", "a"}, {"number", 1}, {"nothing", nullptr}};
  ASSERT_NE(Member(object, "text"), nullptr);
  EXPECT_EQ(Member(object, "nothing"), nullptr);
  EXPECT_EQ(Member(object, "other"), nullptr);
  EXPECT_EQ(Member(Json::array(), "text"), nullptr);
  EXPECT_EQ(TextMember(object, "text"), "a");
  EXPECT_EQ(TextMember(object, "number"), "");
  EXPECT_EQ(TextMember(Json("text"), "text"), "");
}

}  // namespace
}  // namespace cudadoctor

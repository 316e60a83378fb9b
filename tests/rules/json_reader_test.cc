#include "rules/json_reader.h"

#include <functional>
#include <string>

#include "gtest/gtest.h"
#include "json/json.h"

namespace cudadoctor {
namespace {

// The first mistake that `read` makes of `text`, whose keys are a, b and c.
std::string Mistake(const std::string& text, const std::function<void(ObjectReader&)>& read) {
  const absl::StatusOr<Json> json = ParseJson(text, "f.json");
  EXPECT_TRUE(json.ok()) << json.status();
  JsonDocument document{"f.json", ""};
  ObjectReader reader(document, *json, "/x", {"a", "b", "c"});
  read(reader);
  return std::string(document.status.message());
}

TEST(ObjectReaderTest, SaysTheFirstMistakeWithItsPointer) {
  struct Row {
    const char* name;
    const char* text;
    std::function<void(ObjectReader&)> read;
    const char* message;
  };
  const Row rows[] = {
      {"no object", "[]", [](ObjectReader& r) { r.Required("a"); }, "f.json: /x: must be a table"},
      {"an unknown key", R"({"d": 1})", [](ObjectReader&) {},
       "f.json: /x/d: unknown key; known here: a, b, c"},
      {"a missing string", "{}", [](ObjectReader& r) { r.Required("a"); },
       "f.json: /x/a: must be a string that is not empty"},
      {"an empty string", R"({"a": ""})", [](ObjectReader& r) { r.Required("a"); },
       "f.json: /x/a: must be a string that is not empty"},
      {"no string", R"({"a": 1})", [](ObjectReader& r) { r.Optional("a"); },
       "f.json: /x/a: must be a string"},
      {"no flag", R"({"a": "yes"})", [](ObjectReader& r) { r.Flag("a"); },
       "f.json: /x/a: must be true or false"},
      {"no integer", R"({"a": 1.5})", [](ObjectReader& r) { r.Integer("a"); },
       "f.json: /x/a: must be a whole number from 0 to 1000000"},
      {"a negative integer", R"({"a": -1})", [](ObjectReader& r) { r.Integer("a"); },
       "f.json: /x/a: must be a whole number from 0 to 1000000"},
      {"a huge integer", R"({"a": 18446744073709551615})", [](ObjectReader& r) { r.Integer("a"); },
       "f.json: /x/a: must be a whole number from 0 to 1000000"},
      {"no list", R"({"a": {}})", [](ObjectReader& r) { r.Strings("a"); },
       "f.json: /x/a: must be a list"},
      {"a list of numbers", R"({"a": ["x", 1]})", [](ObjectReader& r) { r.Strings("a"); },
       "f.json: /x/a/1: must be a string"},
      {"no map", R"({"a": []})", [](ObjectReader& r) { r.StringMap("a"); },
       "f.json: /x/a: must be a table of strings"},
      {"a map of numbers", R"({"a": {"k": 1}})", [](ObjectReader& r) { r.StringMap("a"); },
       "f.json: /x/a: the value of k must be a string"},
      {"another name", R"({"a": "z"})",
       [](ObjectReader& r) {
         r.OneOf("a", {"x", "y"});
       },
       "f.json: /x/a: \"z\" is not one of x, y"},
      {"the first of two", R"({"a": 1, "b": 1})",
       [](ObjectReader& r) { r.Optional("b"), r.Optional("a"); }, "f.json: /x/b: must be a string"},
      {"none", R"({"a": "x"})",
       [](ObjectReader& r) { r.Required("a"), r.Optional("b"), r.Flag("c"); }, ""},
  };
  for (const Row& row : rows) EXPECT_EQ(Mistake(row.text, row.read), row.message) << row.name;
}

TEST(ObjectReaderTest, ReadsValues) {
  const absl::StatusOr<Json> json = ParseJson(
      R"({"s": "x", "f": true, "i": 7, "l": ["x", "y"], "m": {"k": "v", "j": "w"}, "o": "two", "p": {"a": ["x", "y|z"], "b": "w+"}})",
      "f.json");
  JsonDocument document{"f.json", ""};
  ObjectReader reader(document, *json, "", {"s", "f", "i", "l", "m", "o", "p", "none"});
  EXPECT_TRUE(reader.Has("s"));
  EXPECT_FALSE(reader.Has("none"));
  EXPECT_EQ(reader.Required("s"), "x");
  EXPECT_EQ(reader.TextsOf("s"), (Texts{"x"}));
  EXPECT_EQ(reader.TextsOf("l"), (Texts{"x", "y"}));
  EXPECT_TRUE(reader.TextsOf("none").empty());
  EXPECT_TRUE(reader.Flag("f"));
  EXPECT_FALSE(reader.Flag("none"));
  EXPECT_EQ(reader.Integer("i"), 7);
  EXPECT_EQ(reader.Integer("none"), 0);
  EXPECT_EQ(reader.StringMap("m"),
            (std::vector<std::pair<std::string, std::string>>{{"k", "v"}, {"j", "w"}}));
  EXPECT_EQ(reader.FragmentMap("p"),
            (std::vector<std::pair<std::string, std::string>>{{"a", "(?:x|y|z)"}, {"b", "w+"}}));
  EXPECT_TRUE(reader.FragmentMap("none").empty());
  EXPECT_EQ(reader.OneOf("o", {"one", "two"}), 1);
  ASSERT_EQ(reader.Elements("l").size(), 2u);
  EXPECT_EQ(reader.Elements("l")[1].second, "/l/1");
  EXPECT_TRUE(document.status.ok()) << document.status;
}

}  // namespace
}  // namespace cudadoctor

#include "toml/toml.h"

#include <string>

#include "gtest/gtest.h"
#include "json/json.h"

namespace cudadoctor {
namespace {

TEST(ParseTomlTest, GivesTheValuesInTheOrderOfTheFile) {
  const absl::StatusOr<Json> json = ParseToml(R"toml(# a comment
zebra = 'a\s+"b"'
apple = [1, 2.5, true, {y = "1", x = "2"}]
[table]
"quoted key" = '''
first

third
'''
dotted.b = "1"
dotted.a = "2"
[[list]]
name = "one"
[[list.inner]]
name = "x"
[[list]]
name = "two"
)toml",
                                              "f.toml");
  ASSERT_TRUE(json.ok()) << json.status();
  EXPECT_EQ(WriteJson(*json),
            R"json({"zebra":"a\\s+\"b\"","apple":[1,2.5,true,{"y":"1","x":"2"}],)json"
            R"json("table":{"quoted key":"first\n\nthird\n","dotted":{"b":"1","a":"2"}},)json"
            R"json("list":[{"name":"one","inner":[{"name":"x"}]},{"name":"two"}]})json");
  EXPECT_EQ(WriteJson(*ParseToml("", "f.toml")), "{}");
}

TEST(ParseTomlTest, SaysWhereAMistakeIs) {
  struct Row {
    const char* name;
    const char* text;
    const char* place;  // and, of ours, the whole
    const char* line;
  };
  const Row rows[] = {
      {"an unfinished string", "a = 1\nb = 'x\n", "f.toml:2:", "\n    2 | b = 'x\n      |"},
      {"no value", "a =\n", "f.toml:1:", "\n    1 | a =\n"},
      {"a key that stands twice", "a = 1\nb = 2\na = 3\n", "f.toml:3:", "\n    3 | a = 3\n"},
      {"a table that stands twice", "[a]\nx = 1\n[a]\n", "f.toml:3:", "\n    3 | [a]\n"},
      {"JSON", "{\n}\n", "f.toml:1:1: not valid TOML: ", "\n    1 | {\n      | ^"},
      {"a date", "a = 1\nb = [2026-11-30]\n",
       "f.toml:2:6: a date must be a string; put it in quotes",
       "\n    2 | b = [2026-11-30]\n      |      ^"},
      {"no key", "a = 1\n[\1]\n", "f.toml:2:", "\n    2 | ["},
      {"no text", "a = '\xff'", "f.toml:1:", ""},
  };
  for (const Row& row : rows) {
    const absl::StatusOr<Json> json = ParseToml(row.text, "f.toml");
    ASSERT_EQ(json.status().code(), absl::StatusCode::kInvalidArgument) << row.name;
    const std::string message(json.status().message());
    EXPECT_EQ(message.substr(0, std::string(row.place).size()), row.place);
    EXPECT_NE(message.find(row.line), std::string::npos) << message;
  }
}

TEST(MistakeInTomlTest, ShowsTheLineWithACaret) {
  const std::string text =
      "id = 'x'\nlist = ['first', 'sécond', 7]\n\n[captures]\n\tv = {type = 'word', fact = 'a'}\n"
      "\n[[signatures]]\nname = 'one'\n\n[[signatures]]\nname = 'two'\n";
  struct Row {
    const char* pointer;
    const char* message;
  };
  const Row rows[] = {
      {"/id", "f:1:1: bad\n    1 | id = 'x'\n      | ^"},
      {"/list/2",
       "f:2:28: bad\n    2 | list = ['first', 'sécond', 7]\n      | "
       "                           ^"},
      {"/captures/v/type", "f:5:7: bad\n    5 |  v = {type = 'word', fact = 'a'}\n      |       ^"},
      {"/captures/w", "f:4:2: bad\n    4 | [captures]\n      |  ^"},
      {"/signatures/1/name", "f:11:1: bad\n   11 | name = 'two'\n      | ^"},
      {"/signatures/1/where", "f:10:1: bad\n   10 | [[signatures]]\n      | ^"},
      {"/signatures/7", "f:7:3: bad\n    7 | [[signatures]]\n      |   ^"},
      {"", "f:1:1: bad\n    1 | id = 'x'\n      | ^"},
      {"/", "f:1:1: bad\n    1 | id = 'x'\n      | ^"},
      {"/status", "f:1:1: bad\n    1 | id = 'x'\n      | ^"},
  };
  for (const Row& row : rows) EXPECT_EQ(MistakeInToml(text, "f", row.pointer, "bad"), row.message);
  EXPECT_EQ(MistakeInToml("", "f", "/id", "bad"), "f:1:1: bad\n    1 | \n      | ^");
}

TEST(MistakeInTomlTest, PointsIntoAString) {
  const std::string text = "a = 'x é and'\nb = '''\none\n two'''\nc = \"t\\tx\"\nd = 7\n";
  EXPECT_EQ(MistakeInToml(text, "f", "/a", "bad", 5),
            "f:1:10: bad\n    1 | a = 'x é and'\n      |          ^");
  EXPECT_EQ(MistakeInToml(text, "f", "/a", "bad", 900),
            "f:1:13: bad\n    1 | a = 'x é and'\n      |             ^");
  EXPECT_EQ(MistakeInToml(text, "f", "/b", "bad", 5), "f:4:2: bad\n    4 |  two'''\n      |  ^");
  EXPECT_EQ(MistakeInToml(text, "f", "/c", "bad", 2).substr(0, 6), "f:5:1:");
  EXPECT_EQ(MistakeInToml(text, "f", "/d", "bad", 2).substr(0, 6), "f:6:1:");
}

TEST(MistakeInTomlTest, CutsALongLineAroundTheCaret) {
  const std::string text =
      "a = ['" + std::string(300, 'x') + "', 7, '" + std::string(300, 'y') + "']";
  const std::string message = MistakeInToml(text, "f", "/a/1", "bad");
  EXPECT_EQ(message.substr(0, 10), "f:1:310: b");
  EXPECT_NE(message.find("xxx', 7, 'yyy"), std::string::npos) << message;
  EXPECT_EQ(message.find('^') - message.rfind('|'), message.find(", 7") + 2 - message.find("| x"));
  EXPECT_LT(message.size(), 320u);
}

}  // namespace
}  // namespace cudadoctor

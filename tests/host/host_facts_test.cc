#include "host/host_facts.h"

#include <string>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

TEST(ParseHostFactsTest, ReadsFacts) {
  const auto facts = ParseHostFacts(R"({"schema": "cudadoctor.host/1", "facts": [
      {"name": "toolkit_cuda", "type": "version", "value": "v12.8"}, {"name": "memory_free", "type": "size", "value": "24.4 GiB"}]})",
                                    "h.json");
  ASSERT_TRUE(facts.ok()) << facts.status();
  ASSERT_EQ(facts->size(), 2u);
  EXPECT_EQ((*facts)[0].name, "toolkit_cuda");
  EXPECT_EQ((*facts)[0].value, "12.8");
  EXPECT_EQ((*facts)[0].type, ValueType::kVersion);
  EXPECT_EQ((*facts)[0].origin, Origin::kHost);
  EXPECT_EQ((*facts)[0].line, 0);
  EXPECT_EQ((*facts)[0].unit, 0);
  EXPECT_EQ((*facts)[1].value, "24.4");
  const auto none = ParseHostFacts(R"({"schema": "cudadoctor.host/1", "facts": []})", "h.json");
  ASSERT_TRUE(none.ok()) << none.status();
  EXPECT_TRUE(none->empty());
}

TEST(ParseHostFactsTest, SaysWhatIsWrong) {
  const std::string expected =
      "h.json: is no host description; expected {\"schema\": \"cudadoctor.host/1\", \"facts\": "
      "[…]}";
  const std::string entry = ": needs a name, a known type and a value that fits it";
  struct Row {
    const char* name;
    const char* text;
    std::string message;
  };
  const Row rows[] = {
      {"no object", "[]", expected},
      {"no schema", "{\"facts\": []}", expected},
      {"another schema", "{\"schema\": \"cudadoctor.host/2\", \"facts\": []}", expected},
      {"no facts", "{\"schema\": \"cudadoctor.host/1\"}", expected},
      {"facts are no list", "{\"schema\": \"cudadoctor.host/1\", \"facts\": {}}", expected},
      {"an entry is no object", "{\"schema\": \"cudadoctor.host/1\", \"facts\": [1]}",
       "h.json: /facts/0: must be an object"},
      {"no name", R"({"schema": "cudadoctor.host/1", "facts": [{"type": "flag", "value": "yes"}]})",
       "h.json: /facts/0" + entry},
      {"an unknown type",
       R"({"schema": "cudadoctor.host/1", "facts": [{"name": "a", "type": "x", "value": "yes"}]})",
       "h.json: /facts/0" + entry},
      {"a value that does not fit",
       R"x({"schema": "cudadoctor.host/1", "facts": [{"name": "a", "type": "flag", "value": "yes"}, {"name": "b", "type": "version", "value": "$(id)"}]})x",
       "h.json: /facts/1" + entry},
      {"a value that is no string",
       R"({"schema": "cudadoctor.host/1", "facts": [{"name": "a", "type": "integer", "value": 7}]})",
       "h.json: /facts/0" + entry},
  };
  for (const Row& row : rows) {
    const auto facts = ParseHostFacts(row.text, "h.json");
    EXPECT_EQ(facts.status().code(), absl::StatusCode::kInvalidArgument) << row.name;
    EXPECT_EQ(std::string(facts.status().message()), row.message) << row.name;
  }
  const auto malformed = ParseHostFacts("{", "h.json");
  EXPECT_EQ(std::string(malformed.status().message()).substr(0, 12), "h.json:1:1: ")
      << malformed.status();
}

}  // namespace
}  // namespace cudadoctor

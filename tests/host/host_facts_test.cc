#include "host/host_facts.h"

#include <string>
#include <vector>

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
      {"a place that is no text",
       R"({"schema": "cudadoctor.host/1", "facts": [{"name": "a", "type": "flag", "value": "yes", "at": 7}]})",
       "h.json: /facts/0/at: must be a printable text"},
      {"a place that a terminal would obey",
       R"({"schema": "cudadoctor.host/1", "facts": [{"name": "a", "type": "flag", "value": "yes", "at": "\u001b[31m"}]})",
       "h.json: /facts/0/at: must be a printable text"},
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

TEST(HostFactsToJsonTest, IsTheInverseOfParsing) {
  // One value of each type, in its normal form.
  const std::vector<Fact> facts = {
      {"a", ValueType::kVersion, "2.8.0+cu128", Origin::kHost, 0, 0, "/v/torch/version.py"},
      {"b", ValueType::kPackage, "flash-attn", Origin::kHost},
      {"c", ValueType::kModule, "torch.utils", Origin::kHost},
      {"d", ValueType::kPath, "/home/a b", Origin::kHost},
      {"e", ValueType::kArchList, "8.0;9.0+PTX", Origin::kHost, 0, 0, "SLURM_A × B"},
      {"f", ValueType::kInteger, "-7", Origin::kHost},
      {"g", ValueType::kSize, "24.4", Origin::kHost},
      {"h", ValueType::kSize, "1007", Origin::kHost},
      {"i", ValueType::kSize, "0.0", Origin::kHost},
      {"j", ValueType::kRequirement, "setuptools==80.9.0", Origin::kHost},
      {"k", ValueType::kGpuName, "NVIDIA H200", Origin::kHost, 0, 0, "GPU 0"},
      {"l", ValueType::kFlag, "yes", Origin::kHost},
      {"m", ValueType::kText, "\"quoted\" \\ ü", Origin::kHost},
      {"m", ValueType::kText, "again", Origin::kHost}};
  const std::string json = HostFactsToJson(facts);
  const auto read = ParseHostFacts(json, "h.json");
  ASSERT_TRUE(read.ok()) << read.status() << json;
  ASSERT_EQ(read->size(), facts.size());
  for (size_t i = 0; i < facts.size(); ++i) {
    EXPECT_EQ((*read)[i].name, facts[i].name);
    EXPECT_EQ((*read)[i].type, facts[i].type) << facts[i].name;
    EXPECT_EQ((*read)[i].value, facts[i].value) << facts[i].name;
    EXPECT_EQ((*read)[i].origin, Origin::kHost) << facts[i].name;
    EXPECT_EQ((*read)[i].at, facts[i].at) << facts[i].name;
  }
  EXPECT_EQ(HostFactsToJson({}), "{\n \"schema\": \"cudadoctor.host/1\",\n \"facts\": []\n}\n");
}

}  // namespace
}  // namespace cudadoctor

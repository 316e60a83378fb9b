#include "engine/requirement.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

using ::testing::HasSubstr;

TEST(RequirementTest, Reads) {
  struct Row {
    const char* text;
    const char* whole;
    const char* package;
    const char* version;
  };
  const Row rows[] = {
      {"flash-attn", "flash-attn", "flash-attn", ""},
      {"flash_attn==2.8.3", "flash_attn==2.8.3", "flash-attn", "2.8.3"},
      {"flash-attn == 2.8.3.post1", "flash-attn==2.8.3.post1", "flash-attn", "2.8.3.post1"},
      {"xformers>=0.0.28", "xformers>=0.0.28", "xformers", ""},
      {"xformers>=0.0.28,<0.1", "xformers>=0.0.28,<0.1", "xformers", ""},
      {"vllm~=0.11", "vllm~=0.11", "vllm", ""},
      {"torch==2.8.*", "torch==2.8.*", "torch", ""},
      {"transformer-engine[pytorch]==2.8.0", "transformer-engine[pytorch]==2.8.0",
       "transformer-engine", "2.8.0"},
      {"mamba-ssm[causal-conv1d,dev]", "mamba-ssm[causal-conv1d,dev]", "mamba-ssm", ""},
  };
  for (const Row& row : rows) {
    const absl::StatusOr<Requirement> read = ParseRequirement(row.text);
    ASSERT_TRUE(read.ok()) << row.text << ": " << read.status();
    EXPECT_EQ(read->text, row.whole);
    EXPECT_EQ(read->package, row.package);
    EXPECT_EQ(read->version, row.version);
  }
}

TEST(RequirementTest, RefusesWhatIsNoPackage) {
  const std::string rows[] = {"",
                              " ",
                              ".",
                              "./flash-attention",
                              "-r",
                              "--index-url=https://example.org",
                              "git+https://example.org/x.git",
                              "flash-attn @ https://example.org/x.whl",
                              "flash-attn==",
                              "flash-attn>",
                              "flash-attn[",
                              "flash-attn[a;b]",
                              "flash-attn==2.8.3; python_version<'3.9'",
                              "flash-attn==$(id)",
                              "flash-attn`id`",
                              "flash-attn==2.8.3 --break-system-packages",
                              std::string("flash\0attn", 10),
                              std::string(5000, 'a')};
  for (const std::string& row : rows) {
    const absl::StatusOr<Requirement> read = ParseRequirement(row);
    ASSERT_FALSE(read.ok()) << row;
    EXPECT_EQ(read.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(read.status().message()), HasSubstr("flash-attn==2.8.3"));
    EXPECT_LT(read.status().message().size(), 500u);
  }
}

}  // namespace
}  // namespace cudadoctor

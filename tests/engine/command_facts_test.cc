#include "engine/command_facts.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

TEST(FactsOfCommandTest, WhatACommandStates) {
  const absl::StatusOr<std::unique_ptr<RuleSet>> rules = RuleSet::Create();
  ASSERT_TRUE(rules.ok()) << rules.status();
  const struct {
    const char* command;
    const char* expected;
  } rows[] = {
      {"uv pip install flash-attn==2.8.3 --no-build-isolation",
       "command=uv pip install flash-attn==2.8.3 --no-build-isolation tool=uv "
       "no_build_isolation=yes package=flash-attn package_version=2.8.3"},
      {"pip install -r requirements.txt -i https://index.example.org/simple Flash_Attn[extra]>=2",
       "command=pip install -r requirements.txt -i https://index.example.org/simple "
       "'Flash_Attn[extra]>=2' tool=pip package=Flash-Attn"},
      {"pip install torch flash-attn", "command=pip install torch flash-attn tool=pip"},
      {"pip install .", "command=pip install . tool=pip"},
      {"python setup.py build_ext", "command=python setup.py build_ext"},
      {"python load.py", "command=python load.py"},
      {"make", "command=make"},
      {"./build.sh", ""},
  };
  for (const auto& row : rows) {
    const absl::StatusOr<std::vector<Fact>> facts =
        FactsOfCommand(**rules, {{}, absl::StrSplit(row.command, ' ')},
                       [](std::string_view) -> std::optional<std::string> { return std::nullopt; });
    ASSERT_TRUE(facts.ok()) << facts.status();
    std::string text;
    for (const Fact& fact : *facts) {
      EXPECT_EQ(fact.origin, Origin::kHost);
      EXPECT_EQ(fact.line, 0);
      absl::StrAppend(&text, text.empty() ? "" : " ", fact.name, "=", fact.value);
    }
    EXPECT_EQ(text, row.expected) << row.command;
  }
}

TEST(FactsOfCommandTest, WhatItsEnvironmentStates) {
  const absl::StatusOr<std::unique_ptr<RuleSet>> rules = RuleSet::Create();
  ASSERT_TRUE(rules.ok()) << rules.status();
  const absl::StatusOr<std::vector<Fact>> facts =
      FactsOfCommand(**rules, {{}, {"./build.sh"}}, [](std::string_view name) {
        if (name == "MAX_JOBS") return std::optional<std::string>("16");
        if (name == "NVCC_THREADS") return std::optional<std::string>("many");
        if (name == "TORCH_CUDA_ARCH_LIST") return std::optional<std::string>("8.0 9.0");
        return std::optional<std::string>();
      });
  ASSERT_TRUE(facts.ok()) << facts.status();
  ASSERT_EQ(facts->size(), 2u);
  EXPECT_EQ((*facts)[0].name, "max_jobs");
  EXPECT_EQ((*facts)[0].value, "16");
  EXPECT_EQ((*facts)[1].value, "8.0;9.0");
}

}  // namespace
}  // namespace cudadoctor

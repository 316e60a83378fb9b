#include "model/build_variables.h"

#include <optional>
#include <string>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

TEST(FactsOfBuildVariablesTest, WhatIsSetAndFits) {
  const std::vector<Fact> facts =
      FactsOfBuildVariables([](std::string_view name) -> std::optional<std::string> {
        if (name == "MAX_JOBS") return "16";
        if (name == "NVCC_THREADS") return "many";
        if (name == "TORCH_CUDA_ARCH_LIST") return "8.0 9.0";
        return std::nullopt;
      });
  ASSERT_EQ(facts.size(), 2u);
  EXPECT_EQ(facts[0].name, "max_jobs");
  EXPECT_EQ(facts[0].value, "16");
  EXPECT_EQ(facts[0].at, "MAX_JOBS");
  EXPECT_EQ(facts[0].origin, Origin::kHost);
  EXPECT_EQ(facts[1].name, "arch_list");
  EXPECT_EQ(facts[1].value, "8.0;9.0");
  EXPECT_TRUE(FactsOfBuildVariables([](std::string_view) {
                return std::optional<std::string>("");
              }).empty());
}

}  // namespace
}  // namespace cudadoctor

#include "remedy/holes.h"

#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

constexpr std::string_view kPackages = R"({"packages": [
  {"name": "flash-attn", "import_name": "flash_attn", "arch": {"variable": "FLASH_ATTN_CUDA_ARCHS", "ignores": ["TORCH_CUDA_ARCH_LIST"]},
   "parallelism": {"variable": "MAX_JOBS"}, "memory": {"model": {"base_gib": 2, "gib_per_compiler": 4, "default_nvcc_threads": 4, "default_architectures": 4}}},
  {"name": "fixed-archs", "arch": {"ignores": ["TORCH_CUDA_ARCH_LIST"]}},
  {"name": "cmake-only", "parallelism": {"variable": "CMAKE_BUILD_PARALLEL_LEVEL"}}]})";

class HolesTest : public ::testing::Test {
 protected:
  HolesTest()
      : knowledge_([](std::string_view name) { return name == "packages" ? kPackages : ""; }),
        base_(facts_, derived_, knowledge_),
        resolver_(base_.At(1, 100, {})),
        holes_(resolver_) {}

  void State(const std::string& name, ValueType type, const std::string& value) {
    facts_.Add({name, type, value, Origin::kLog, ++line_, 1});
  }
  std::string Fill(const std::string& name) const {
    const std::optional<HoleValue> value = holes_.Fill(name);
    return value.has_value() ? value->text : "nothing";
  }

  FactStore facts_;
  Knowledge knowledge_;
  std::vector<DerivedFact> derived_;
  Resolver base_;
  Resolver resolver_;
  Holes holes_;
  int line_ = 0;
};

TEST_F(HolesTest, WithoutFacts) {
  EXPECT_EQ(Fill("pip"), "pip");
  EXPECT_EQ(Fill("sudo"), "sudo ");
  EXPECT_EQ(Fill("package_spec"), "nothing");
  EXPECT_EQ(Fill("jobs_variable"), "MAX_JOBS");
  EXPECT_EQ(Fill("arch_variable"), "TORCH_CUDA_ARCH_LIST");
  EXPECT_EQ(Fill("gpu_archs"), "nothing");
  EXPECT_EQ(Fill("fit_jobs"), "nothing");
  EXPECT_EQ(Fill("torch_cuda"), "nothing");
}

TEST_F(HolesTest, FollowTheTool) {
  State("tool", ValueType::kWord, "pip");
  EXPECT_EQ(Fill("pip"), "pip");
  State("tool", ValueType::kWord, "uv");
  EXPECT_EQ(Fill("pip"), "uv pip");
  State("docker", ValueType::kFlag, "yes");
  EXPECT_EQ(Fill("sudo"), "");
}

TEST_F(HolesTest, FollowThePackage) {
  State("package", ValueType::kPackage, "flash_attn");
  EXPECT_EQ(Fill("package_spec"), "nothing");
  State("index_package", ValueType::kPackage, "flash-attn");
  EXPECT_EQ(Fill("package_spec"), "flash_attn");
  EXPECT_EQ(Fill("arch_variable"), "FLASH_ATTN_CUDA_ARCHS");
  State("gpu_capability", ValueType::kVersion, "12.0");
  EXPECT_EQ(Fill("gpu_archs"), "120") << "flash-attn's format has no dots";
  State("package_version", ValueType::kVersion, "2.8.3");
  EXPECT_EQ(Fill("package_spec"), "flash_attn==2.8.3");
  State("memory_free", ValueType::kSize, "60.0");
  EXPECT_EQ(Fill("fit_jobs"), "9") << "0.9 * 60 / (2 + 4), one architecture";
  EXPECT_NE(Fill("fit_why").find("9 = 0.9"), std::string::npos);
}

TEST_F(HolesTest, APackageWithoutAVariableForArchitectures) {
  State("package", ValueType::kPackage, "fixed-archs");
  State("gpu_capability", ValueType::kVersion, "12.0");
  EXPECT_EQ(Fill("arch_variable"), "nothing");
}

TEST_F(HolesTest, AnUnknownPackageReadsTheArchList) {
  State("package", ValueType::kPackage, "something-else");
  State("gpu_capability", ValueType::kVersion, "9.0");
  EXPECT_EQ(Fill("arch_variable"), "TORCH_CUDA_ARCH_LIST");
  EXPECT_EQ(Fill("gpu_archs"), "9.0");
}

TEST_F(HolesTest, ArchitecturesOfAllGpusOfTheHost) {
  for (const char* capability : {"9.0", "8.9", "9.0"}) {
    facts_.Add({"gpu_capability", ValueType::kVersion, capability, Origin::kHost, 0, 0,
                std::string("GPU ") + std::to_string(++line_)});
  }
  EXPECT_EQ(Fill("gpu_archs"), "8.9;9.0");
  State("package", ValueType::kPackage, "flash_attn");
  EXPECT_EQ(Fill("gpu_archs"), "89;90");
  State("memory_free", ValueType::kSize, "60.0");
  EXPECT_EQ(Fill("fit_jobs"), "5") << "0.9 * 60 / (2 + 2 * 4), two architectures";
  State("gpu_capability", ValueType::kVersion, "12.0");
  EXPECT_EQ(Fill("gpu_archs"), "120") << "the log names the GPU that counts";
}

TEST_F(HolesTest, ARootUserNeedsNoSudo) {
  facts_.Add({"root_user", ValueType::kFlag, "yes", Origin::kHost});
  EXPECT_EQ(Fill("sudo"), "");
}

TEST_F(HolesTest, TheJobsVariableOfTheBuild) {
  State("command", ValueType::kCommand, "cmake --build build -j32");
  EXPECT_EQ(Fill("jobs_variable"), "CMAKE_BUILD_PARALLEL_LEVEL");
  State("package", ValueType::kPackage, "flash-attn");
  EXPECT_EQ(Fill("jobs_variable"), "MAX_JOBS");
  State("package", ValueType::kPackage, "cmake-only");
  EXPECT_EQ(Fill("jobs_variable"), "CMAKE_BUILD_PARALLEL_LEVEL");
}

TEST_F(HolesTest, ParametersComeFirst) {
  State("version", ValueType::kVersion, "12.8");
  EXPECT_EQ(Fill("version"), "12.8");
  holes_.SetParameter("version", {ValueType::kVersion, "13.1"});
  EXPECT_EQ(Fill("version"), "13.1");
}

TEST_F(HolesTest, OnlyOurOwnWordsAreLiteral) {
  State("package", ValueType::kPackage, "flash-attn");
  State("tool", ValueType::kWord, "uv");
  EXPECT_TRUE(holes_.Fill("pip")->is_literal);
  EXPECT_TRUE(holes_.Fill("jobs_variable")->is_literal);
  EXPECT_FALSE(holes_.Fill("package")->is_literal);
  EXPECT_FALSE(holes_.Fill("package_spec")->is_literal);
  EXPECT_FALSE(holes_.Fill("tool")->is_literal);
}

}  // namespace
}  // namespace cudadoctor

#include "knowledge/package_build.h"

#include <optional>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "json/json.h"
#include "knowledge/knowledge.h"
#include "rules/rule_set.h"

namespace cudadoctor {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

const Knowledge& Tables() {
  static const RuleSet* const rules = RuleSet::Create().value().release();
  static const Knowledge* const knowledge =
      new Knowledge([](std::string_view name) { return rules->KnowledgeText(name); });
  return *knowledge;
}

Json Entry(const char* text) { return *ParseJson(text, "entry"); }

TEST(PackageBuildTest, ReadsWhatBuildsNeed) {
  const PackageBuild flash = ReadPackageBuild(*Tables().Package("flash_attn"), "2.8.3", "9.0");
  EXPECT_EQ(flash.name, "flash-attn");
  EXPECT_EQ(flash.repository, "Dao-AILab/flash-attention");
  EXPECT_EQ(flash.pypi, PackageBuild::Pypi::kSources);
  EXPECT_TRUE(flash.imports_torch);
  EXPECT_EQ(flash.has_pyproject, false);
  EXPECT_THAT(flash.modules,
              ElementsAre("torch", "packaging", "psutil", "ninja", "setuptools", "wheel"));
  EXPECT_THAT(flash.gpu_archs, Contains("8.0"));
  EXPECT_EQ(flash.fixed_cxx, "17");
  EXPECT_EQ(flash.cpus_per_job, 2);
  EXPECT_EQ(flash.gib_per_job, 9);
  EXPECT_TRUE(ReadPackageBuild(*Tables().Package("apex"), "", "").compares_minor);
  EXPECT_FALSE(ReadPackageBuild(*Tables().Package("deepspeed"), "", "").compiles);
  EXPECT_TRUE(ReadPackageBuild(*Tables().Package("torch-scatter"), "", "").is_cuda_optional);
  EXPECT_EQ(ReadPackageBuild(*Tables().Package("xformers"), "0.0.30", "").torch_pin, "2.7.0");
  EXPECT_EQ(ReadPackageBuild(*Tables().Package("xformers"), "0.0.35", "").torch_pin, "");
}

TEST(PackageBuildTest, RemarksAreNotPartOfAName) {
  const PackageBuild build =
      ReadPackageBuild(Entry(R"json({"name": "x", "repo": "a/b (folder c)", "build_requires":
            ["torch (pinned)", "pybind11[global]", "setuptools<81 (pkg_resources)", "cmake>=3.21"]})json"),
                       "", "");
  EXPECT_EQ(build.repository, "a/b");
  EXPECT_THAT(build.modules, ElementsAre("torch", "pybind11", "setuptools", "cmake"));
  EXPECT_EQ(build.pypi, PackageBuild::Pypi::kUnknown);
  EXPECT_TRUE(build.compiles);
}

TEST(PackageBuildTest, MinimumOfTheToolkitByVersionAndGpu) {
  struct Row {
    const char* package;
    const char* version;
    const char* capability;
    const char* expected;
    bool is_sure;
  };
  const Row rows[] = {
      {"flash-attn", "2.8.3", "", "11.7", true},
      {"flash-attn", "2.6.3", "", "11.6", true},
      {"flash-attn", "2.8.3", "12.0", "12.8", true},
      {"sageattention", "", "8.9", "12.4", true},
      {"sageattention", "", "", "12.0", true},
      {"natten", "", "", "12.0", false},
      {"apex", "", "", "", true},
  };
  for (const Row& row : rows) {
    const PackageBuild build =
        ReadPackageBuild(*Tables().Package(row.package), row.version, row.capability);
    EXPECT_EQ(build.min_cuda.has_value() ? build.min_cuda->version : "", row.expected)
        << row.package << " " << row.version << " " << row.capability;
    if (build.min_cuda.has_value()) {
      EXPECT_EQ(build.min_cuda->is_sure, row.is_sure) << row.package;
    }
  }
}

TEST(PackageBuildTest, OwnWheels) {
  struct Row {
    const char* name;
    WheelWanted wanted;
    const char* expected;
  };
  const Row rows[] = {
      {"covered", {"2.8.3", "2.8.0+cu128", "12.8", "3.12.3"}, "yes"},
      {"post release of the range", {"2.8.3.post1", "2.4.1", "12.1", "3.9"}, "yes"},
      {"torch too new", {"2.8.3", "2.9.0+cu128", "12.8", "3.12"}, "no"},
      {"CUDA 13", {"2.8.3", "2.8.0", "13.0", "3.12"}, "no"},
      {"Python too new", {"2.8.3", "2.8.0", "12.8", "3.14"}, "no"},
      {"older, tags with minor versions", {"2.6.3", "2.4.0", "12.1", "3.11"}, "yes"},
      {"older, no CUDA 13", {"2.6.3", "2.4.0", "13.0", "3.11"}, "no"},
      {"a development version is no release", {"2.7.3", "2.6.0", "12.4", "3.11"}, "no"},
      {"version not in the table", {"2.8.3.post2", "2.8.0", "12.8", "3.12"}, "unknown"},
      {"newest, not in the table", {"", "2.8.0", "12.8", "3.12"}, "unknown"},
  };
  for (const Row& row : rows) {
    const std::optional<OwnWheel> wheel = FindOwnWheel(*Tables().Package("flash-attn"), row.wanted);
    EXPECT_EQ(!wheel.has_value() ? "unknown"
              : wheel->is_there  ? "yes"
                                 : "no",
              row.expected)
        << row.name;
  }
  EXPECT_EQ(FindOwnWheel(*Tables().Package("flash-attn"), rows[0].wanted)->covers,
            "torch 2.4–2.8, cu12, Python 3.9–3.13");
  EXPECT_FALSE(FindOwnWheel(*Tables().Package("torch-scatter"), rows[0].wanted).has_value());
}

// An overlay may replace the table by anything.
TEST(PackageBuildTest, TakesAnyJson) {
  for (const char* text : {"{}", "[]", "null", R"({"name": 1, "wheels": [], "min_cuda": "12"})",
                           R"({"wheels": {"by_version": [{"versions": "1.0", "cuda": 5}, 7]}})",
                           R"({"build_requires": [1, null], "torch_pins": 3, "pypi": []})"}) {
    const Json entry = Entry(text);
    EXPECT_EQ(ReadPackageBuild(entry, "1.0", "9.0").torch_pin, "") << text;
    EXPECT_FALSE(FindOwnWheel(entry, {"1.0", "2.8", "12.8", "3.12"}).has_value()) << text;
  }
}

}  // namespace
}  // namespace cudadoctor

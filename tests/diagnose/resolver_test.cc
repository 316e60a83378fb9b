#include "diagnose/resolver.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "rules/condition.h"

namespace cudadoctor {
namespace {

class ResolverTest : public ::testing::Test {
 protected:
  ResolverTest()
      : knowledge_([](std::string_view name) -> std::string_view {
          return name == "gpus"
                     ? R"({"patterns": [{"pattern": "rtx 5090", "cc": "12.0"}], "compute_capabilities": {"12.0": {"min_cuda": "12.8"}}})"
                     : "";
        }),
        derived_({{"torch_cuda", ValueType::kVersion, "torch-cuda", {"torch_version"}},
                  {"gpu_capability", ValueType::kVersion, "gpu-capability", {"gpu_name"}},
                  {"required_version", ValueType::kVersion, "min-toolkit", {"gpu_capability"}},
                  {"round", ValueType::kVersion, "min-toolkit", {"round"}}}),
        resolver_(facts_, derived_, knowledge_) {}

  void State(const std::string& name, ValueType type, const std::string& value, int line = 1,
             int unit = 1, Origin origin = Origin::kLog) {
    facts_.Add({name, type, value, origin, line, unit});
  }
  std::string Get(const std::string& fact) const {
    const std::optional<Resolver::Value> value = resolver_.At(1, 10, captures_).Get(fact);
    return value.has_value() ? value->text : "nothing";
  }

  FactStore facts_;
  Knowledge knowledge_;
  std::vector<DerivedFact> derived_;
  std::vector<Capture> captures_;
  Resolver resolver_;
};

TEST_F(ResolverTest, LooksInCapturesThenInTheUnitThenElsewhereThenDerives) {
  EXPECT_EQ(Get("torch_cuda"), "nothing");
  State("torch_version", ValueType::kVersion, "2.10.0+cu128");
  EXPECT_EQ(Get("torch_cuda"), "12.8");
  State("torch_cuda", ValueType::kVersion, "12.1", 0, 0, Origin::kHost);
  EXPECT_EQ(Get("torch_cuda"), "12.8") << "the log's torch is not the one that is installed here";
  State("torch_cuda", ValueType::kVersion, "12.4", 3, 2);
  EXPECT_EQ(Get("torch_cuda"), "12.4");
  State("torch_cuda", ValueType::kVersion, "12.6", 20, 1);
  EXPECT_EQ(Get("torch_cuda"), "12.6");
  State("torch_cuda", ValueType::kVersion, "13.0", 5, 1);
  EXPECT_EQ(Get("torch_cuda"), "13.0");
  captures_ = {{"torch_cuda", ValueType::kVersion, "11.8"}};
  EXPECT_EQ(Get("torch_cuda"), "11.8");
}

TEST_F(ResolverTest, AsksTheHostForWhatTheLogDoesNotSay) {
  State("torch_cuda", ValueType::kVersion, "12.1", 0, 0, Origin::kHost);
  EXPECT_EQ(Get("torch_cuda"), "12.1");
  State("gpu_name", ValueType::kGpuName, "NVIDIA GeForce RTX 5090", 0, 0, Origin::kHost);
  EXPECT_EQ(Get("gpu_capability"), "12.0") << "derived from the host's facts";
}

TEST_F(ResolverTest, FindsAnInstalledToolkitThatServes) {
  derived_.push_back({"toolkit_home", ValueType::kPath, "installed-toolkit", {"version"}});
  const auto home_for = [this](const std::string& version) {
    captures_ = {{"version", ValueType::kVersion, version}};
    return Get("toolkit_home");
  };
  EXPECT_EQ(home_for("12.8"), "nothing");
  for (const char* version : {"11.8", "12.6", "12.9", "12.8", "13.0"}) {
    facts_.Add({"installed_toolkit", ValueType::kVersion, version, Origin::kHost, 0, 0,
                std::string("/usr/local/cuda-") + version});
  }
  EXPECT_EQ(home_for("12.8"), "/usr/local/cuda-12.8");
  EXPECT_EQ(home_for("12.7"), "/usr/local/cuda-12.8") << "the nearest newer one";
  EXPECT_EQ(home_for("12.9"), "/usr/local/cuda-12.9");
  EXPECT_EQ(home_for("11.8"), "/usr/local/cuda-11.8");
  EXPECT_EQ(home_for("13.1"), "nothing") << "no older one";
  EXPECT_EQ(home_for("10.2"), "nothing") << "no other major version";
}

TEST_F(ResolverTest, FindsAnInstalledGccThatIsNotNewer) {
  derived_.push_back({"older_gxx", ValueType::kPath, "installed-gcc", {"version"}});
  derived_.push_back({"older_gcc", ValueType::kPath, "installed-gcc", {"version", "'gcc'"}});
  const auto gcc_for = [this](const std::string& version, const std::string& fact) {
    captures_ = {{"version", ValueType::kVersion, version}};
    return Get(fact);
  };
  EXPECT_EQ(gcc_for("13", "older_gxx"), "nothing");
  const std::pair<const char*, const char*> installed[] = {
      {"8", "/usr/bin/g++-8"},
      {"14", "/usr/bin/g++-14"},
      {"11.4", "/usr/bin/g++-11"},
      {"13", "/opt/rh/gcc-toolset-13/root/usr/bin/g++"}};
  for (const auto& [version, path] : installed)
    facts_.Add({"installed_gcc", ValueType::kVersion, version, Origin::kHost, 0, 0, path});
  EXPECT_EQ(gcc_for("13", "older_gxx"), "/opt/rh/gcc-toolset-13/root/usr/bin/g++");
  EXPECT_EQ(gcc_for("13", "older_gcc"), "/opt/rh/gcc-toolset-13/root/usr/bin/gcc");
  EXPECT_EQ(gcc_for("12", "older_gcc"), "/usr/bin/gcc-11") << "the newest of the older ones";
  EXPECT_EQ(gcc_for("10", "older_gxx"), "nothing") << "PyTorch does not take gcc 8";
}

TEST_F(ResolverTest, FindsAFolderWithRoom) {
  derived_.push_back({"folder", ValueType::kPath, "roomy-folder", {"'10'", "path"}});
  const auto folder_for = [this](const std::string& path) {
    captures_.clear();
    if (!path.empty()) captures_ = {{"path", ValueType::kPath, path}};
    return Get("folder");
  };
  EXPECT_EQ(folder_for(""), "nothing");
  const std::pair<const char*, const char*> disks[] = {
      {"0.4", "/tmp"}, {"60.0", "/work"}, {"200", "/home/ada"}, {"200", "/home/ada/.cache/pip"}};
  for (const auto& [free, folder] : disks)
    facts_.Add({"disk_free", ValueType::kSize, free, Origin::kHost, 0, 0, folder});
  EXPECT_EQ(folder_for(""), "/home/ada");
  EXPECT_EQ(folder_for("/tmp/a.ii"), "/home/ada");
  EXPECT_EQ(folder_for("/home/ada/.cache/pip/a"), "/work") << "not the file system that is full";
}

TEST_F(ResolverTest, FindsNoOtherFolderWhereThatOfTemporaryFilesHasRoom) {
  derived_.push_back({"folder", ValueType::kPath, "roomy-folder", {"'10'", "path"}});
  facts_.Add({"disk_free", ValueType::kSize, "30.0", Origin::kHost, 0, 0, "/tmp"});
  facts_.Add({"disk_free", ValueType::kSize, "200", Origin::kHost, 0, 0, "/home/ada"});
  EXPECT_EQ(Get("folder"), "nothing") << "another file system is full";
  captures_ = {{"path", ValueType::kPath, "/tmp/a.ii"}};
  EXPECT_EQ(Get("folder"), "/home/ada") << "the build had filled it";
}

TEST_F(ResolverTest, DerivesFromDerivedFactsAndEndsOnACircle) {
  State("gpu_name", ValueType::kGpuName, "NVIDIA GeForce RTX 5090");
  EXPECT_EQ(Get("gpu_capability"), "12.0");
  EXPECT_EQ(Get("required_version"), "12.8");
  EXPECT_EQ(Get("round"), "nothing");
}

TEST_F(ResolverTest, Conditions) {
  State("tool", ValueType::kWord, "uv");
  State("torch_cuda", ValueType::kVersion, "12.8");
  State("toolkit_cuda", ValueType::kVersion, "12.10");
  State("gpu_name", ValueType::kGpuName, "NVIDIA GeForce RTX 5090");
  const std::pair<const char*, Truth> rows[] = {
      {"tool", Truth::kYes},
      {"not tool", Truth::kNo},
      {"rocm", Truth::kNo},
      {"not rocm", Truth::kYes},
      {"tool in ['pip', 'uv']", Truth::kYes},
      {"tool == 'pip'", Truth::kNo},
      {"tool != 'pip'", Truth::kYes},
      {"tool not in ['pip', 'uv']", Truth::kNo},
      {"rocm == 'yes'", Truth::kUnknown},
      {"rocm != 'yes'", Truth::kUnknown},
      {"not rocm == 'yes'", Truth::kUnknown},
      {"known(rocm == 'yes')", Truth::kNo},
      {"not known(rocm == 'yes')", Truth::kYes},
      {"known(tool == 'uv')", Truth::kYes},
      {"gpu_name matches '(?i)geforce'", Truth::kYes},
      {"gpu_name matches 'Tesla'", Truth::kNo},
      {"rocm matches '.'", Truth::kUnknown},
      {"torch_cuda < toolkit_cuda", Truth::kYes},
      {"torch_cuda >= toolkit_cuda", Truth::kNo},
      {"torch_cuda.major == toolkit_cuda.major", Truth::kYes},
      {"torch_cuda.minor != toolkit_cuda.minor", Truth::kYes},
      {"torch_cuda <= '12.8'", Truth::kYes},
      {"torch_cuda != rocm", Truth::kUnknown},
      {"rocm or tool", Truth::kYes},
      {"rocm or not tool", Truth::kNo},
      {"rocm == 'yes' or tool", Truth::kYes},
      {"rocm == 'yes' or not tool", Truth::kUnknown},
      {"rocm == 'yes' and tool", Truth::kUnknown},
      {"rocm == 'yes' and not tool", Truth::kNo},
      {"tool and not (rocm == 'yes' and tool)", Truth::kUnknown},
      {"gpu_capability(gpu_name) == '12.0'", Truth::kYes},
      {"gpu_capability(gpu_name) == '9.0'", Truth::kNo},
      {"gpu_capability('RTX 5090') == '12.0'", Truth::kYes},
      {"gpu_capability(rocm) == '12.0'", Truth::kUnknown},
      {"gpu_capability('Voodoo 3') == '12.0'", Truth::kUnknown},
  };
  for (const auto& [text, expected] : rows) {
    size_t at = 0;
    const absl::StatusOr<std::vector<Condition>> conditions = ParseConditions(text, at);
    ASSERT_TRUE(conditions.ok()) << text << ": " << conditions.status();
    EXPECT_EQ(resolver_.Decide(*conditions), expected) << text;
    EXPECT_EQ(resolver_.Holds(*conditions), expected == Truth::kYes) << text;
  }
  EXPECT_TRUE(resolver_.Holds({}));
}

}  // namespace
}  // namespace cudadoctor

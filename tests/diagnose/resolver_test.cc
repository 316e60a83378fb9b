#include "diagnose/resolver.h"

#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"

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
  bool Holds(const Condition& condition) const {
    return resolver_.At(1, 10, captures_).Holds({condition});
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
  using Kind = Condition::Kind;
  struct Row {
    const char* name;
    Condition condition;
    bool expected;
  };
  const auto compare = [](const std::string& op, const std::string& other, const std::string& value,
                          VersionPart part) {
    Condition condition{Kind::kCompare, "torch_cuda", {}, op, other, part, "", {}, {}};
    if (!value.empty()) condition.values = {value};
    return condition;
  };
  const Condition known{Kind::kPresent, "tool", {}, "", "", VersionPart::kAll, "", {}, {}};
  const Condition missing{Kind::kPresent, "rocm", {}, "", "", VersionPart::kAll, "", {}, {}};
  const Row rows[] = {
      {"known", known, true},
      {"all", {Kind::kAll, "", {}, "", "", VersionPart::kAll, "", {}, {known, known}}, true},
      {"all but one",
       {Kind::kAll, "", {}, "", "", VersionPart::kAll, "", {}, {known, missing}},
       false},
      {"not known", missing, false},
      {"absent", {Kind::kAbsent, "rocm", {}, "", "", VersionPart::kAll, "", {}, {}}, true},
      {"not absent", {Kind::kAbsent, "tool", {}, "", "", VersionPart::kAll, "", {}, {}}, false},
      {"is", {Kind::kIs, "tool", {"pip", "uv"}, "", "", VersionPart::kAll, "", {}, {}}, true},
      {"is another", {Kind::kIs, "tool", {"pip"}, "", "", VersionPart::kAll, "", {}, {}}, false},
      {"is, of nothing",
       {Kind::kIs, "rocm", {"yes"}, "", "", VersionPart::kAll, "", {}, {}},
       false},
      {"is not", {Kind::kIsNot, "tool", {"pip"}, "", "", VersionPart::kAll, "", {}, {}}, true},
      {"is not, but is",
       {Kind::kIsNot, "tool", {"uv"}, "", "", VersionPart::kAll, "", {}, {}},
       false},
      {"matches",
       {Kind::kMatches, "gpu_name", {"(?i)geforce"}, "", "", VersionPart::kAll, "", {}, {}},
       true},
      {"matches not",
       {Kind::kMatches, "gpu_name", {"Tesla"}, "", "", VersionPart::kAll, "", {}, {}},
       false},
      {"older", compare("<", "toolkit_cuda", "", VersionPart::kAll), true},
      {"not newer", compare(">=", "toolkit_cuda", "", VersionPart::kAll), false},
      {"the same major", compare("==", "toolkit_cuda", "", VersionPart::kMajor), true},
      {"another minor", compare("!=", "toolkit_cuda", "", VersionPart::kMinor), true},
      {"a value", compare("<=", "", "12.8", VersionPart::kAll), true},
      {"a missing fact compares to nothing", compare("!=", "rocm", "", VersionPart::kAll), false},
      {"any", {Kind::kAny, "", {}, "", "", VersionPart::kAll, "", {}, {missing, known}}, true},
      {"any of none",
       {Kind::kAny, "", {}, "", "", VersionPart::kAll, "", {}, {missing, missing}},
       false},
      {"not", {Kind::kNot, "", {}, "", "", VersionPart::kAll, "", {}, {missing}}, true},
      {"look-up",
       {Kind::kLookup, "", {"12.0"}, "", "", VersionPart::kAll, "gpu-capability", {"gpu_name"}, {}},
       true},
      {"look-up of a word",
       {Kind::kLookup,
        "",
        {"12.0"},
        "",
        "",
        VersionPart::kAll,
        "gpu-capability",
        {"'RTX 5090'"},
        {}},
       true},
      {"look-up of nothing",
       {Kind::kLookup, "", {"12.0"}, "", "", VersionPart::kAll, "gpu-capability", {"rocm"}, {}},
       false},
  };
  for (const Row& row : rows) EXPECT_EQ(Holds(row.condition), row.expected) << row.name;
}

TEST_F(ResolverTest, AllConditionsMustHold) {
  State("tool", ValueType::kWord, "uv");
  const Condition known{Condition::Kind::kPresent, "tool", {}, "", "",
                        VersionPart::kAll,         "",     {}, {}};
  const Condition missing{Condition::Kind::kPresent, "rocm", {}, "", "",
                          VersionPart::kAll,         "",     {}, {}};
  EXPECT_TRUE(resolver_.Holds({}));
  EXPECT_TRUE(resolver_.Holds({known, known}));
  EXPECT_FALSE(resolver_.Holds({known, missing}));
}

}  // namespace
}  // namespace cudadoctor

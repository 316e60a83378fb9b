#include "model/value.h"

#include <optional>
#include <set>
#include <string>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

constexpr const char* kTypes[] = {"version",      "package",   "module",  "path", "file",
                                  "architecture", "arch-list", "integer", "size", "symbol",
                                  "library",      "header",    "word",    "url",  "requirement",
                                  "gpu-name",     "command",   "flag",    "text"};

TEST(TypeNameTest, GoesBothWays) {
  std::set<ValueType> types;
  for (const char* name : kTypes) {
    const std::optional<ValueType> type = TypeFromName(name);
    ASSERT_TRUE(type.has_value()) << name;
    EXPECT_EQ(TypeName(*type), name);
    types.insert(*type);
  }
  EXPECT_EQ(types.size(), std::size(kTypes));
  EXPECT_FALSE(TypeFromName("Version").has_value());
  EXPECT_FALSE(TypeFromName("").has_value());
}

TEST(PackageKeyTest, IsTheSameForEverySpelling) {
  for (const char* name : {"flash-attn", "flash_attn", "Flash.Attn", "FLASH__attn", "flash-_.attn"})
    EXPECT_EQ(PackageKey(name), "flash-attn") << name;
  EXPECT_EQ(PackageKey("torch"), "torch");
  EXPECT_EQ(PackageKey(""), "");
}

TEST(NormalizeTest, TakesWhatFits) {
  struct Row {
    ValueType type;
    const char* raw;
    const char* expected;
  };
  const Row rows[] = {
      {ValueType::kVersion, "12.8", "12.8"},
      {ValueType::kVersion, " 2.10.0+cu128 ", "2.10.0+cu128"},
      {ValueType::kVersion, "2.10.0%2Bcu128", "2.10.0+cu128"},
      {ValueType::kVersion, "v3.27.1", "3.27.1"},
      {ValueType::kVersion, "12.8.", "12.8"},
      {ValueType::kVersion, "2.8.0.post2", "2.8.0.post2"},
      {ValueType::kPackage, "flash-attn", "flash-attn"},
      {ValueType::kPackage, "ruamel.yaml_x", "ruamel.yaml-x"},
      {ValueType::kModule, "torch._C", "torch._C"},
      {ValueType::kPath, "/home/user/My Projects/x (1)", "/home/user/My Projects/x (1)"},
      {ValueType::kPath, "C:\\Program Files\\NVIDIA", "C:\\Program Files\\NVIDIA"},
      {ValueType::kFile, "libcudart.so.13", "libcudart.so.13"},
      {ValueType::kArchitecture, "sm_120", "sm_120"},
      {ValueType::kArchitecture, "9.0+PTX", "9.0+PTX"},
      {ValueType::kArchList, "8.0 9.0a, 12.0+PTX", "8.0;9.0a;12.0+PTX"},
      {ValueType::kArchList, "80;90", "80;90"},
      {ValueType::kInteger, "007", "7"},
      {ValueType::kInteger, "-9", "-9"},
      {ValueType::kSize, "24.4 GiB", "24.4"},
      {ValueType::kSize, "1,048,576 kB", "1.0"},
      {ValueType::kSize, "62Gi", "62.0"},
      {ValueType::kSize, "2T", "2048"},
      {ValueType::kSize, "512MB", "0.5"},
      {ValueType::kSize, "1073741824", "1.0"},
      {ValueType::kSize, "431.6g", "432"},
      {ValueType::kSymbol, "_ZN2at4_ops5zeros4callEv", "_ZN2at4_ops5zeros4callEv"},
      {ValueType::kSymbol, "at::Tensor::data_ptr<float>() const",
       "at::Tensor::data_ptr<float>() const"},
      {ValueType::kLibrary, "cudart", "cudart"},
      {ValueType::kHeader, "THC/THC.h", "THC/THC.h"},
      {ValueType::kWord, "uv", "uv"},
      {ValueType::kUrl, "https://download.pytorch.org/whl/cu128",
       "https://download.pytorch.org/whl/cu128"},
      {ValueType::kRequirement, "setuptools>=61,<80", "setuptools>=61,<80"},
      {ValueType::kGpuName, "NVIDIA GeForce RTX 5090", "NVIDIA GeForce RTX 5090"},
      {ValueType::kCommand, "pip install 'torch>=2' && echo $HOME",
       "pip install 'torch>=2' && echo $HOME"},
      {ValueType::kFlag, "yes", "yes"},
      {ValueType::kText, "what `it` $says; \"this\"", "what `it` $says; \"this\""},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Normalize(row.type, row.raw), std::optional<std::string>(row.expected))
        << TypeName(row.type) << ": " << row.raw;
  }
}

TEST(NormalizeTest, RefusesWhatDoesNot) {
  struct Row {
    ValueType type;
    const char* raw;
  };
  const Row rows[] = {
      {ValueType::kVersion, "unknown"},
      {ValueType::kVersion,
       "12.8 "
       "beta"},
      {ValueType::kVersion, "1;id"},
      {ValueType::kVersion, "%s"},
      {ValueType::kPackage, "-rf"},
      {ValueType::kPackage, "foo; rm -rf ~"},
      {ValueType::kPackage, "--index-url"},
      {ValueType::kPackage, "a/b"},
      {ValueType::kModule, "7zip"},
      {ValueType::kModule, "a-b"},
      {ValueType::kModule, "os; x"},
      {ValueType::kPath, "-o/x"},
      {ValueType::kPath, "/x'y"},
      {ValueType::kPath, "/$HOME"},
      {ValueType::kPath, "/`id`"},
      {ValueType::kFile, "a b"},
      {ValueType::kFile, "a;b"},
      {ValueType::kArchitecture, "sm_90 x"},
      {ValueType::kArchitecture, "sm-90"},
      {ValueType::kArchList, ";"},
      {ValueType::kArchList, "8.0;$(id)"},
      {ValueType::kInteger, "12.5"},
      {ValueType::kInteger, "1234567890123456789"},
      {ValueType::kInteger, "x"},
      {ValueType::kSize, "GiB"},
      {ValueType::kSize, "-1 GiB"},
      {ValueType::kSize, "5 apples"},
      {ValueType::kSize, "inf"},
      {ValueType::kSize, "nan"},
      {ValueType::kLibrary, "-l"},
      {ValueType::kHeader, "-x.h"},
      {ValueType::kHeader, "a b.h"},
      {ValueType::kWord, "two words"},
      {ValueType::kWord, "-x"},
      {ValueType::kUrl, "download.pytorch.org"},
      {ValueType::kUrl, "https://x/'"},
      {ValueType::kUrl, "https://x/$(id)"},
      {ValueType::kRequirement, "-r x"},
      {ValueType::kRequirement, "torch; id"},
      {ValueType::kGpuName, "\"NVIDIA\""},
      {ValueType::kFlag, "no"},
      {ValueType::kFlag, "YES"},
      {ValueType::kText, "a\x1b[31m"},
      {ValueType::kText, "a\nb"},
      {ValueType::kText, "a\x7f"},
      {ValueType::kCommand, "a\tb"},
  };
  for (const Row& row : rows)
    EXPECT_EQ(Normalize(row.type, row.raw), std::nullopt) << TypeName(row.type) << ": " << row.raw;
}

TEST(NormalizeTest, EveryTypeRefusesEmptyAndEndlessValues) {
  for (const char* name : kTypes) {
    const ValueType type = *TypeFromName(name);
    EXPECT_EQ(Normalize(type, ""), std::nullopt) << name;
    EXPECT_EQ(Normalize(type, "   "), std::nullopt) << name;
    EXPECT_EQ(Normalize(type, std::string(5000, '1')), std::nullopt) << name;
  }
}

// The promise of value.h, for every type and every character that a shell knows.
TEST(NormalizeTest, NoTypeThatEntersACommandHoldsAShellsCharacters) {
  for (const char* name : kTypes) {
    const ValueType type = *TypeFromName(name);
    if (!MayEnterCommand(type)) continue;
    for (const char c : std::string("'\"`;|\n\r\t\x1b\x7f")) {
      if (type == ValueType::kArchList && c == ';') continue;  // its separator, which is quoted
      const std::optional<std::string> value =
          Normalize(type, std::string("https://a1") + c + "1.0");
      EXPECT_TRUE(!value.has_value() || value->find(c) == std::string::npos)
          << name << " holds character " << int{c};
      const std::optional<std::string> number = Normalize(type, std::string("1") + c + "0");
      EXPECT_TRUE(!number.has_value() || number->find(c) == std::string::npos)
          << name << " holds character " << int{c};
    }
  }
  EXPECT_FALSE(MayEnterCommand(ValueType::kText));
  EXPECT_FALSE(MayEnterCommand(ValueType::kCommand));
  EXPECT_TRUE(MayEnterCommand(ValueType::kVersion));
}

TEST(CompareVersionsTest, ComparesNumbersByComponent) {
  struct Row {
    const char* a;
    const char* b;
    VersionPart part;
    int sign;
  };
  const Row rows[] = {
      {"12.8", "12.8", VersionPart::kAll, 0},
      {"12.8", "12.8.0", VersionPart::kAll, 0},
      {"12.8", "12.10", VersionPart::kAll, -1},
      {"13.0", "12.9", VersionPart::kAll, 1},
      {"2.10.0+cu128", "2.10.0", VersionPart::kAll, 0},
      {"12.8", "12.9", VersionPart::kMajor, 0},
      {"13.0", "12.9", VersionPart::kMajor, 1},
      {"2.8.3", "2.8.4", VersionPart::kMinor, 0},
      {"2.8.3", "2.9", VersionPart::kMinor, -1},
      {"9", "9.0.1", VersionPart::kAll, -1},
      {"", "", VersionPart::kAll, 0},
      {"2.1rc1", "2.1", VersionPart::kAll, 0},
      {"99999999999999999999", "1", VersionPart::kAll, 1},
  };
  for (const Row& row : rows) {
    const int order = CompareVersions(row.a, row.b, row.part);
    EXPECT_EQ((order > 0) - (order < 0), row.sign) << row.a << " and " << row.b;
    const int reverse = CompareVersions(row.b, row.a, row.part);
    EXPECT_EQ((reverse > 0) - (reverse < 0), -row.sign) << row.b << " and " << row.a;
  }
}

TEST(CapabilityTest, ReadsEverySpelling) {
  struct Row {
    const char* architecture;
    std::optional<std::string> expected;
  };
  const Row rows[] = {
      {"sm_120", "12.0"},
      {"compute_90a", "9.0"},
      {"sm_100f", "10.0"},
      {"9.0+PTX", "9.0"},
      {"12.0", "12.0"},
      {"8.6", "8.6"},
      {"90", "9.0"},
      {"120", "12.0"},
      {"lto_80", "8.0"},
      {"SM80", "8.0"},
      {"sm_9", std::nullopt},
      {"native", std::nullopt},
      {"", std::nullopt},
      {"Blackwell", std::nullopt},
      {"8.", std::nullopt},
      {".8", std::nullopt},
      {"sm_1234567", std::nullopt},
      {"all-major", std::nullopt},
  };
  for (const Row& row : rows)
    EXPECT_EQ(Capability(row.architecture), row.expected) << row.architecture;
}

}  // namespace
}  // namespace cudadoctor

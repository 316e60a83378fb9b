#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "json/json.h"
#include "report/render.h"
#include "report/sample_report.h"

namespace cudadoctor {
namespace {

Json EntriesOf(const std::vector<Report>& reports) {
  const std::string text = Render("codequality", reports);
  const absl::StatusOr<Json> entries = ParseJson(text, "codequality");
  EXPECT_TRUE(entries.ok()) << entries.status();
  return entries.ok() ? *entries : Json();
}

TEST(RenderCodeQualityTest, IsAnArray) {
  EXPECT_EQ(Render("codequality", SampleReport()), R"([
  {
    "type": "issue",
    "categories": [
      "Compatibility"
    ],
    "description": "PyTorch was built with CUDA 12.8, nvcc is CUDA 13.1; fix: install CUDA 12.8 beside 13.1 and build with it",
    "check_name": "cuda-version-mismatch",
    "fingerprint": "0123456789abcdef",
    "severity": "critical",
    "location": {
      "path": "build.log",
      "lines": {
        "begin": 34
      }
    }
  }
]
)");
}

TEST(RenderCodeQualityTest, IsAnEmptyArrayWithoutADiagnosis) {
  EXPECT_EQ(Render("codequality", Report()), "[]\n");
  EXPECT_EQ(EntriesOf({}), Json::array());
}

TEST(RenderCodeQualityTest, AFingerprintHasOneEntry) {
  Report other = SampleReport();
  other.input.name = "other.log";
  Report third = SampleReport();
  third.diagnoses[0].fingerprint = "fedcba9876543210";
  const Json entries = EntriesOf({SampleReport(), other, third});
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries.at(0).at("location").at("path"), "build.log");
  EXPECT_EQ(entries.at(1).at("fingerprint"), "fedcba9876543210");
}

TEST(RenderCodeQualityTest, SeveritiesAreThoseOfTheRoles) {
  const struct {
    Role role;
    const char* severity;
  } rows[] = {{Role::kRoot, "critical"}, {Role::kContributing, "major"}, {Role::kLatent, "info"}};
  for (const auto& row : rows) {
    Report report = SampleReport();
    report.diagnoses[0].role = row.role;
    EXPECT_EQ(EntriesOf({report}).at(0).at("severity"), row.severity);
  }
}

TEST(RenderCodeQualityTest, PathsAreRelative) {
  const struct {
    const char* name;
    const char* path;
  } rows[] = {
      {"./build.log", "build.log"},
      {"/home/user/project/logs/build.log", "logs/build.log"},
      {"/home/user/projects/build.log", "/home/user/projects/build.log"},
      {"-", "<stdin>"},
      {"a\nb.log", "a b.log"},
  };
  for (const auto& row : rows) {
    Report report = SampleReport();
    report.input.name = row.name;
    EXPECT_EQ(EntriesOf({report}).at(0).at("location").at("path"), row.path);
  }
  Report report = SampleReport();
  report.diagnoses[0].evidence[0].source = SourceLocation{"./csrc/scan.cu", 4, 9};
  EXPECT_EQ(WriteJson(EntriesOf({report}).at(0).at("location")),
            R"({"path":"csrc/scan.cu","lines":{"begin":4}})");
}

}  // namespace
}  // namespace cudadoctor

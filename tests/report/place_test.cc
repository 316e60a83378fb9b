#include "report/place.h"

#include "gtest/gtest.h"
#include "report/sample_report.h"

namespace cudadoctor {
namespace {

TEST(SourceInTreeTest, OnlyFilesOfTheTree) {
  const struct {
    const char* name;
    const char* file;
    const char* expected;  // "" for nothing
  } rows[] = {
      {"relative", "csrc/scan.cu", "csrc/scan.cu"},
      {"with a dot", "./csrc/scan.cu", "csrc/scan.cu"},
      {"Windows", "csrc\\scan.cu", "csrc/scan.cu"},
      {"below the tree", "/src/app/csrc/scan.cu", "csrc/scan.cu"},
      {"another tree", "/src/application/scan.cu", ""},
      {"pip's build folder", "/tmp/pip-install-x/flash-attn/csrc/a.cu", ""},
      {"leaves the tree", "../scan.cu", ""},
      {"an installed package", ".venv/lib/python3.12/site-packages/torch/x.h", ""},
  };
  for (const auto& row : rows) {
    Report report = SampleReport();
    report.diagnoses[0].evidence[0].source = SourceLocation{row.file, 12, 5};
    const std::optional<SourceLocation> place = SourceInTree(report.diagnoses[0], "/src/app/");
    EXPECT_EQ(place.has_value() ? place->file : "", row.expected) << row.name;
    if (place.has_value()) {
      EXPECT_EQ(place->line, 12) << row.name;
    }
  }
}

// As redaction leaves both.
TEST(SourceInTreeTest, BelowAHomeFolder) {
  Report report = SampleReport();
  const auto in_tree = [&](const char* file) {
    report.diagnoses[0].evidence[0].source = SourceLocation{file, 3, 0};
    return SourceInTree(report.diagnoses[0], "~/work");
  };
  ASSERT_TRUE(in_tree("~/work/csrc/a.cu").has_value());
  EXPECT_EQ(in_tree("~/work/csrc/a.cu")->file, "csrc/a.cu");
  EXPECT_FALSE(in_tree("~/other/a.cu").has_value());
}

TEST(SourceInTreeTest, WithoutAFolderAnAbsolutePathIsElsewhere) {
  Report report = SampleReport();
  EXPECT_FALSE(SourceInTree(report.diagnoses[0], "").has_value());
  report.diagnoses[0].evidence[0].source = SourceLocation{"/src/scan.cu", 1, 0};
  EXPECT_FALSE(SourceInTree(report.diagnoses[0], "").has_value());
}

TEST(PlaceInLogTest, IsTheDecidingLine) {
  Report report = SampleReport();
  SourceLocation place = PlaceInLog(report, report.diagnoses[0]);
  EXPECT_EQ(place.file, "build.log");
  EXPECT_EQ(place.line, 34);
  EXPECT_EQ(place.column, 1);
  report.input.name = "-";
  report.diagnoses[0].evidence.clear();
  place = PlaceInLog(report, report.diagnoses[0]);
  EXPECT_EQ(place.file, "<stdin>");
  EXPECT_EQ(place.line, 1);
}

TEST(RelativeToTest, BelowTheFolder) {
  const struct {
    const char* folder;
    const char* path;
    const char* expected;
  } rows[] = {
      {"/src/app", "/src/app/build.log", "build.log"},
      {"/src/app/", "/src/app/b.log", "b.log"},
      {"/src/app", "/src/application/b", "/src/application/b"},
      {"/src/app", "././build.log", "build.log"},
      {"", "/src/app/b.log", "/src/app/b.log"},
      {"/", "/src/app/b.log", "/src/app/b.log"},
  };
  for (const auto& row : rows) EXPECT_EQ(RelativeTo(row.folder, row.path), row.expected);
}

TEST(PlaceOfTest, IsTheSourceOrTheLog) {
  Report report = SampleReport();
  SourceLocation place = PlaceOf(report, report.diagnoses[0], "/src/app");
  EXPECT_EQ(place.file, "build.log");
  EXPECT_EQ(place.line, 34);
  report.diagnoses[0].evidence[0].source = SourceLocation{"csrc/scan.cu", 12, 0};
  place = PlaceOf(report, report.diagnoses[0], "/src/app");
  EXPECT_EQ(place.file, "csrc/scan.cu");
  EXPECT_EQ(place.line, 12);
  EXPECT_EQ(place.column, 1);
  report.diagnoses[0].evidence[0].source->line = 0;
  report.input.name = "/src/app/build.log";
  EXPECT_EQ(PlaceOf(report, report.diagnoses[0], "/src/app").file, "build.log");
}

}  // namespace
}  // namespace cudadoctor

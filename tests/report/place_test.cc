#include "report/place.h"

#include <optional>
#include <string>

#include "gtest/gtest.h"
#include "report/sample_report.h"

namespace cudadoctor {
namespace {

// Places `file` in the tree "/src/app" and tells the place, or "".
std::string InTree(
    const std::string& file, const HasFile& has_file = [](const std::string&) { return true; }) {
  Report report = SampleReport();
  report.diagnoses[0].evidence[0].source = SourceLocation{file, 12, 5};
  PlaceInTree("/src/app/", has_file, report);
  const std::optional<SourceLocation> place = SourceInTree(report.diagnoses[0]);
  return place.has_value() && place->line == 12 && place->column == 5 ? place->file : "";
}

TEST(PlaceInTreeTest, OnlyFilesOfTheTree) {
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
      {"leaves it later", "csrc/../../scan.cu", ""},
      {"an installed package", ".venv/lib/python3.12/site-packages/torch/x.h", ""},
      {"an installed package, Windows", "venv\\Lib\\site-packages\\torch\\x.h", ""},
  };
  for (const auto& row : rows) EXPECT_EQ(InTree(row.file), row.expected) << row.name;
}

// pip prints the relative paths of what it builds elsewhere.
TEST(PlaceInTreeTest, OnlyFilesThatAreThere) {
  const HasFile has_file = [](const std::string& path) { return path == "csrc/scan.cu"; };
  EXPECT_EQ(InTree("csrc/scan.cu", has_file), "csrc/scan.cu");
  EXPECT_EQ(InTree("/src/app/csrc/scan.cu", has_file), "csrc/scan.cu");
  EXPECT_EQ(InTree("csrc/other.cu", has_file), "");
}

TEST(PlaceInTreeTest, TheLog) {
  const auto name = [](const std::string& input, const std::string& folder) {
    Report report = SampleReport();
    report.input.name = input;
    PlaceInTree(
        folder, [](const std::string&) { return true; }, report);
    return NameOfLog(report);
  };
  EXPECT_EQ(name("/src/app/build.log", "/src/app"), "build.log");
  EXPECT_EQ(name("/src/application/b", "/src/app"), "/src/application/b");
  EXPECT_EQ(name("././build.log", "/src/app"), "build.log");
  EXPECT_EQ(name("../build.log", "/src/app"), "../build.log");
  EXPECT_EQ(name("/src/app/b.log", ""), "/src/app/b.log");
  EXPECT_EQ(name("-", "/src/app"), "<stdin>");
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

TEST(PlaceOfTest, IsTheSourceOrTheLog) {
  Report report = SampleReport();
  SourceLocation place = PlaceOf(report, report.diagnoses[0]);
  EXPECT_EQ(place.file, "build.log");
  EXPECT_EQ(place.line, 34);
  report.diagnoses[0].evidence[0].source = SourceLocation{"csrc/scan.cu", 12, 0};
  EXPECT_EQ(PlaceOf(report, report.diagnoses[0]).file, "build.log") << "nobody looked for it";
  report.diagnoses[0].evidence[0].source->is_in_tree = true;
  place = PlaceOf(report, report.diagnoses[0]);
  EXPECT_EQ(place.file, "csrc/scan.cu");
  EXPECT_EQ(place.line, 12);
  EXPECT_EQ(place.column, 1);
}

}  // namespace
}  // namespace cudadoctor

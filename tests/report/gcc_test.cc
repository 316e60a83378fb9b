#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "report/render.h"
#include "report/sample_report.h"

namespace cudadoctor {
namespace {

Report ReportOf(const Diagnosis& diagnosis) {
  Report report = SampleReport();
  report.diagnoses = {diagnosis};
  return report;
}

Diagnosis Titled(const std::string& title) {
  Diagnosis diagnosis;
  diagnosis.cause = "compile-error";
  diagnosis.title = title;
  diagnosis.evidence = {{7, 7, 3, "text", "pattern"}};
  return diagnosis;
}

TEST(RenderGccTest, IsOneLineADiagnosis) {
  Report report = SampleReport();
  Diagnosis latent = Titled("the architecture list leaves out this GPU");
  latent.role = Role::kLatent;
  Diagnosis contributing = Titled("old setuptools");
  contributing.role = Role::kContributing;
  report.diagnoses.push_back(contributing);
  report.diagnoses.push_back(latent);
  EXPECT_EQ(Render("gcc", report),
            "build.log:34:1: error: PyTorch was built with CUDA 12.8, nvcc is CUDA 13.1; fix: "
            "install CUDA 12.8 beside 13.1 and build with it [cuda-version-mismatch]\n"
            "build.log:7:3: warning: old setuptools [compile-error]\n"
            "build.log:7:3: warning: the architecture list leaves out this GPU [compile-error]\n");
}

TEST(RenderGccTest, IsEmptyWithoutADiagnosis) { EXPECT_EQ(Render("gcc", Report()), ""); }

TEST(RenderGccTest, AReportOfAPipeIsAtStdin) {
  Report report = SampleReport();
  report.input.name = "-";
  report.diagnoses.front().evidence.clear();
  EXPECT_TRUE(Render("gcc", report).starts_with("<stdin>:1:1: error: PyTorch was"));
}

struct PlaceCase {
  SourceLocation source;
  std::string_view place;
};

TEST(RenderGccTest, ASourceOfTheTreeIsThePlace) {
  const PlaceCase kCases[] = {
      {{"csrc/scan.cu", 4, 9}, "csrc/scan.cu:4:9: "},
      {{"/home/user/project/csrc/scan.cu", 4, 0}, "csrc/scan.cu:4:1: "},
      {{"/usr/include/stdio.h", 4, 9}, "build.log:7:3: "},
      {{"my sources/scan.cu", 4, 9}, "my sources/scan.cu:4:9: "},
      // What would be misread, or opened at no line.
      {{"csrc/scan.cu", 0, 0}, "build.log:7:3: "},
      {{"a.cu:1:2: error: b", 4, 9}, "build.log:7:3: "},
      {{"a\"b\".cu", 4, 9}, "build.log:7:3: "},
      {{"a\nb.cu", 4, 9}, "build.log:7:3: "},
      {{"a\xC2\x85"
        "b.cu",
        4, 9},
       "build.log:7:3: "},
  };
  for (const PlaceCase& row : kCases) {
    Diagnosis diagnosis = Titled("it does not compile");
    diagnosis.evidence.front().source = row.source;
    EXPECT_EQ(Render("gcc", ReportOf(diagnosis)),
              std::string(row.place) + "error: it does not compile [compile-error]\n")
        << row.source.file;
  }
}

struct TitleCase {
  std::string title;
  std::string_view message;
};

TEST(RenderGccTest, ATitleStaysOnItsLineAndIsNoPlace) {
  const TitleCase kCases[] = {
      {"two\nlines\r\nand\ttabs\x1b[31m\x7f", "two lines  and tabs [31m "},
      {"unicode\xE2\x80\xA8line\xC2\x85"
       "ends",
       "unicode line ends"},
      {std::string("nul\0byte", 8), "nul byte"},
      // VS Code's matcher is greedy.
      {"cut: evil.cu:1:2: error: x", "cut: evil.cu: 1: 2: error: x"},
      {"::warning file=a,line=1::b", "::warning file=a,line=1::b"},
      {"http://mirror.example.org:8443/simple", "http://mirror.example.org:8443/simple"},
      {"at 12:30:45", "at 12: 30:45"},
      // Vim's own errorformat begins with: text, a quoted file, a number.
      {"see \"evil.cu\" line 3: x", "see 'evil.cu' line 3: x"},
      {"grüße, 数", "grüße, 数"},
  };
  for (const TitleCase& row : kCases) {
    EXPECT_EQ(Render("gcc", ReportOf(Titled(row.title))),
              "build.log:7:3: error: " + std::string(row.message) + " [compile-error]\n")
        << row.title;
  }
}

TEST(RenderGccTest, ALogsNameStaysOnItsLine) {
  Report report = ReportOf(Titled("x"));
  report.input.name = "a\nb.cu:1:1: error: c";
  EXPECT_EQ(Render("gcc", report), "a b.cu:1:1: error: c:7:3: error: x [compile-error]\n");
}

struct FixCase {
  std::vector<Step> steps;
  std::string_view fix;
};

TEST(RenderGccTest, AFixIsTheTitleWithTheOneCommand) {
  const FixCase kCases[] = {
      {{{"pip install ninja", ""}}, "install 'it': pip install ninja"},
      {{{"", "as root"}, {"pip install ninja", ""}}, "install 'it': pip install ninja"},
      {{{"apt-get update", ""}, {"apt-get install ninja", ""}}, "install 'it'"},
      {{{"", "by hand"}}, "install 'it'"},
      {{}, "install 'it'"},
      {{{"printf 'a\nb'", ""}}, "install 'it'"},
      {{{"docker run image:1:2", ""}}, "install 'it'"},
      {{{"export A=\"$B\"", ""}}, "install 'it': export A=\"$B\""},
      {{{"echo \"a\" 1: b", ""}}, "install 'it'"},
      {{{std::string(150, 'x'), ""}}, "install 'it'"},
  };
  for (const FixCase& row : kCases) {
    Diagnosis diagnosis = Titled(std::string(60, 't'));
    Remedy remedy;
    remedy.title = "install \"it\"";
    remedy.steps = row.steps;
    diagnosis.remedies = {remedy};
    EXPECT_EQ(Render("gcc", ReportOf(diagnosis)), "build.log:7:3: error: " + std::string(60, 't') +
                                                      "; fix: " + std::string(row.fix) +
                                                      " [compile-error]\n")
        << row.fix;
  }
}

}  // namespace
}  // namespace cudadoctor

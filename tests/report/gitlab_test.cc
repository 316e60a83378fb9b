#include <regex>
#include <string>

#include "gtest/gtest.h"
#include "report/hostile_report.h"
#include "report/render.h"

namespace cudadoctor {
namespace {

TEST(RenderGitlabTest, IsTheTextInASection) {
  const RenderOptions options{.width = 100, .time = 1700000000};
  EXPECT_EQ(Render("gitlab", SampleReport(), options),
            "\x1b[0Ksection_start:1700000000:cudadoctor_1700000000\r\x1b[0K"
            "cudadoctor: PyTorch was built with CUDA 12.8, nvcc is CUDA 13.1\n" +
                Render("text", SampleReport(), options) +
                "\x1b[0Ksection_end:1700000000:cudadoctor_1700000000\r\x1b[0K\n");
}

TEST(RenderGitlabTest, TwoReportsAreOneSection) {
  const Report reports[] = {SampleReport(), Report(), SampleReport()};
  const std::string text = RenderGitlab(reports, {.names_input = true, .time = 7});
  EXPECT_NE(text.find("nvcc is CUDA 13.1, and 1 more\nbuild.log: flash-attn"), std::string::npos);
  EXPECT_EQ(text.find("section_start", 10), std::string::npos);
}

TEST(RenderGitlabTest, NothingWithoutADiagnosis) { EXPECT_EQ(Render("gitlab", Report(), {}), ""); }

// As GitLab finds markers: lib/gitlab/regex.rb, build_trace_section_regex.
int Markers(const std::string& text) {
  static const std::regex kMarker(
      "section_(start|end):\\d+:[a-zA-Z0-9_.-]+(\\[\\w+=\\w+(, ?\\w+=\\w+)*\\])?\r\x1b\\[0K");
  return static_cast<int>(std::distance(std::sregex_iterator(text.begin(), text.end(), kMarker),
                                        std::sregex_iterator()));
}

TEST(RenderGitlabTest, NoTextEndsTheSection) {
  for (const bool color : {false, true}) {
    for (const std::string_view payload : kPayloads) {
      const std::string text =
          Render("gitlab", HostileReport(payload), {.color = color, .time = 7});
      EXPECT_EQ(Markers(text), 2) << text;
    }
  }
  // Names of files are no lines of a log.
  Report report = SampleReport();
  report.input.name = "x\r\nsection_end:7:cudadoctor_7\r\x1b[0K";
  const std::string text = Render("gitlab", report, {.names_input = true, .time = 7});
  EXPECT_EQ(Markers(text), 2) << text;
}

}  // namespace
}  // namespace cudadoctor

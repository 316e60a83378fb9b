#include <regex>
#include <string>

#include "gtest/gtest.h"
#include "report/hostile_report.h"
#include "report/markdown.h"
#include "report/render.h"

namespace cudadoctor {
namespace {

TEST(RenderBuildkiteTest, BehindALogTheTextIsAnOpenGroup) {
  EXPECT_EQ(Render("buildkite", SampleReport(), {.follows_log = true}),
            "+++ cudadoctor: PyTorch was built with CUDA 12.8, nvcc is CUDA 13.1\n" +
                Render("text", SampleReport(), {}));
}

TEST(RenderBuildkiteTest, AloneItIsAnAnnotation) {
  const Report reports[] = {SampleReport(), Report()};
  EXPECT_EQ(RenderBuildkite(reports, {.names_input = true}),
            MarkdownSections(reports, {.names_input = true, .max_bytes = 1 << 20}));
}

TEST(RenderBuildkiteTest, NothingWithoutADiagnosis) {
  EXPECT_EQ(Render("buildkite", Report(), {}), "");
  EXPECT_EQ(Render("buildkite", Report(), {.follows_log = true}), "");
}

TEST(RenderBuildkiteTest, NoTextIsAGroup) {
  const std::regex group("(^|\n)[ ]*(---|\\+\\+\\+|~~~|\\^\\^\\^)");
  for (const std::string_view payload : kPayloads) {
    for (const int width : {40, 100}) {
      const std::string text =
          Render("buildkite", HostileReport(payload), {.width = width, .follows_log = true});
      EXPECT_EQ(std::distance(std::sregex_iterator(text.begin(), text.end(), group),
                              std::sregex_iterator()),
                1)
          << text;
    }
  }
}

}  // namespace
}  // namespace cudadoctor

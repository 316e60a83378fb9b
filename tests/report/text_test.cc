#include <algorithm>
#include <string>

#include "gtest/gtest.h"
#include "report/render.h"
#include "report/sample_report.h"

namespace cudadoctor {
namespace {

TEST(RenderTextTest, Plain) {
  EXPECT_EQ(Render("text", SampleReport(), {.color = false, .width = 100}),
            R"(flash-attn 2.8.3 did not build

cause   PyTorch was built with CUDA 12.8, nvcc is CUDA 13.1           cuda-version-mismatch, certain
         34 | RuntimeError: The detected CUDA version (13.1) mismatches the version that was used …

fix     install CUDA 12.8 beside 13.1 and build with it
          sudo apt-get install -y cuda-toolkit-12-8
          CUDA_HOME=/usr/local/cuda-12.8 PATH=/usr/local/cuda-12.8/bin:$PATH MAX_JOBS=32 \
            uv pip install flash-attn --no-build-isolation
        takes an hour
        check: /usr/local/cuda-12.8/bin/nvcc --version says release 12.8

or      take the PyTorch built for CUDA 13.0; costs a 2 GB download
        choose it by hand

not     MAX_JOBS: it does not touch this check
more    cudadoctor explain cuda-version-mismatch
)");
}

TEST(RenderTextTest, Narrow) {
  EXPECT_EQ(Render("text", SampleReport(), {.color = false, .width = 50}),
            R"(flash-attn 2.8.3 did not build

cause   PyTorch was built with CUDA 12.8, nvcc is
        CUDA 13.1   cuda-version-mismatch, certain
         34 | RuntimeError: The detected CUDA ve…

fix     install CUDA 12.8 beside 13.1 and build
        with it
          sudo apt-get install -y cuda-toolkit-12-8
          CUDA_HOME=/usr/local/cuda-12.8 PATH=/usr/local/cuda-12.8/bin:$PATH MAX_JOBS=32 \
            uv pip install flash-attn --no-build-isolation
        takes an hour
        check: /usr/local/cuda-12.8/bin/nvcc
        --version says release 12.8

or      take the PyTorch built for CUDA 13.0;
        costs a 2 GB download
        choose it by hand

not     MAX_JOBS: it does not touch this check
more    cudadoctor explain cuda-version-mismatch
)");
}

TEST(RenderTextTest, WhatIsNoRootTakesALineBesideOne) {
  Report report = SampleReport();
  Diagnosis latent = report.diagnoses[0];
  latent.cause = "torch-arch-unknown";
  latent.role = Role::kLatent;
  latent.title = "the arch list is ignored";
  latent.evidence = {{7, 7, 1, "TORCH_CUDA_ARCH_LIST=10.0", "x"}};
  report.diagnoses.push_back(latent);
  const std::string text = Render("text", report, {.color = false, .width = 80});
  const std::string end =
      "more    cudadoctor explain cuda-version-mismatch\n\n"
      "besides the arch list is ignored                     torch-arch-unknown, certain\n"
      "          7 | TORCH_CUDA_ARCH_LIST=10.0\n";
  ASSERT_GT(text.size(), end.size());
  EXPECT_EQ(text.substr(text.size() - end.size()), end);
}

TEST(RenderTextTest, OneScreen) {
  Report report = SampleReport();
  Diagnosis& diagnosis = report.diagnoses[0];
  for (int i = 0; i < 3; ++i) {
    diagnosis.remedies.push_back(diagnosis.remedies[1]);
    diagnosis.avoid.push_back("one more that does not help");
    diagnosis.evidence.push_back({100 + i, 100 + i, 1, "more evidence", "x"});
  }
  const std::string text = Render("text", report, {.color = false, .width = 100});
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 24) << text;
}

// Colour changes nothing but colour.
TEST(RenderTextTest, Coloured) {
  std::string text = Render("text", SampleReport(), {.color = true, .width = 100});
  EXPECT_EQ(text.substr(0, text.find('\n')), "\x1b[1mflash-attn 2.8.3 did not build\x1b[0m");
  EXPECT_NE(text.find("\x1b[1;31mPyTorch was built with CUDA 12.8, nvcc is CUDA 13.1\x1b[0m"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\x1b[36msudo apt-get install -y cuda-toolkit-12-8\x1b[0m"),
            std::string::npos)
      << text;
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = text.find('m', i);
    } else {
      plain.push_back(text[i]);
    }
  }
  EXPECT_EQ(plain, Render("text", SampleReport(), {.color = false, .width = 100}));
}

TEST(RenderTextTest, WithoutADiagnosis) {
  struct Row {
    const char* name;
    Outcome outcome;
    int64_t lines;
    const char* expected;
  };
  const Row rows[] = {
      {"success", Outcome::kSucceeded, 9, "no failure: this log ends in success\n"},
      {"undetermined", Outcome::kUndetermined, 9,
       "no failure found; the log does not show how it ended\n"},
      {"empty", Outcome::kUndetermined, 0, "the log is empty: nothing to diagnose\n"},
  };
  for (const Row& row : rows) {
    Report report;
    report.outcome = row.outcome;
    report.input.lines = row.lines;
    EXPECT_EQ(Render("text", report, {}), row.expected) << row.name;
  }
}

TEST(RenderTextTest, UnknownAndClipped) {
  Report report = SampleReport();
  report.input.limits = {"clipped-upstream"};
  Diagnosis& diagnosis = report.diagnoses[0];
  diagnosis.cause = "unknown";
  diagnosis.title = "no known cause; the first error is at line 34";
  diagnosis.remedies.clear();
  diagnosis.avoid.clear();
  EXPECT_EQ(Render("text", report, {.color = false, .width = 100}),
            R"(flash-attn 2.8.3 did not build

cause   no known cause; the first error is at line 34                                        unknown
         34 | RuntimeError: The detected CUDA version (13.1) mismatches the version that was used …
        this log was cut before it got here; the full log may show another cause
)");
}

TEST(RenderTextTest, AMatchFarIntoALongLineIsShown) {
  Report report = SampleReport();
  report.diagnoses[0].evidence = {{7, 7, 301, std::string(300, '.') + "Killed", "killed"}};
  const std::string text = Render("text", report, {.color = false, .width = 80});
  EXPECT_NE(text.find("          7 | …............Killed\n"), std::string::npos) << text;
}

TEST(RenderTextTest, EveryLineButCommandsFitsTheWidth) {
  for (const int width : {40, 60, 80, 120}) {
    const std::string text = Render("text", SampleReport(), {.color = false, .width = width});
    size_t start = 0;
    for (size_t end = 0; (end = text.find('\n', start)) != std::string::npos; start = end + 1) {
      const std::string line = text.substr(start, end - start);
      if (line.compare(0, 10, "          ") == 0) continue;  // a command
      size_t columns = 0;
      for (const char c : line) columns += (c & 0xC0) != 0x80 ? 1 : 0;
      EXPECT_LE(columns, static_cast<size_t>(width)) << line;
    }
  }
}

}  // namespace
}  // namespace cudadoctor

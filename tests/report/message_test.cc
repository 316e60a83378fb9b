#include "report/message.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "report/sample_report.h"

namespace cudadoctor {
namespace {

Diagnosis Titled(const std::string& title) {
  Diagnosis diagnosis;
  diagnosis.title = title;
  return diagnosis;
}

Diagnosis WithCommand(const std::string& command) {
  Diagnosis diagnosis = Titled("t");
  Remedy remedy;
  remedy.title = "do it";
  remedy.steps = {{command, "by hand"}};
  diagnosis.remedies = {remedy};
  return diagnosis;
}

TEST(PlainMessageTest, IsTheTitleAndThePreferredRemedy) {
  EXPECT_EQ(PlainMessage(SampleReport().diagnoses[0]),
            "PyTorch was built with CUDA 12.8, nvcc is CUDA 13.1.\n"
            "\n"
            "fix: install CUDA 12.8 beside 13.1 and build with it\n"
            "\n"
            "    sudo apt-get install -y cuda-toolkit-12-8\n"
            "    CUDA_HOME=/usr/local/cuda-12.8 PATH=/usr/local/cuda-12.8/bin:$PATH MAX_JOBS=32 uv "
            "pip install flash-attn --no-build-isolation\n"
            "\n"
            "note: takes an hour\n"
            "\n"
            "check that this says release 12.8:\n"
            "\n"
            "    /usr/local/cuda-12.8/bin/nvcc --version");
  EXPECT_EQ(PlainMessage(Titled("linking failed")), "linking failed.");
}

TEST(PlainMessageTest, NothingIsALinkOrAPlaceholder) {
  const struct {
    std::string title;
    std::string message;
  } rows[] = {
      {"see [this](http://evil.example.org)", "see [this] (http://evil.example.org)."},
      {"argument {0} of {12}", "argument { 0} of { 12}."},
      {"a {b} [c]", "a {b} [c]."},
      {"two\nlines", "two lines."},
  };
  for (const auto& row : rows) EXPECT_EQ(PlainMessage(Titled(row.title)), row.message);
}

TEST(PlainMessageTest, ACommandIsCompleteOrAbsent) {
  const std::string without = "t.\n\nfix: do it\n\nnote: by hand";
  EXPECT_EQ(PlainMessage(WithCommand("sed -i 's/[=:](a|b)//' setup.py")), without);
  EXPECT_EQ(PlainMessage(WithCommand("grep -E 'a{2}' x")), without);
  EXPECT_EQ(PlainMessage(WithCommand("printf 'a\nb'")), without);
  EXPECT_EQ(PlainMessage(WithCommand("echo ${A} {}")),
            "t.\n\nfix: do it\n\n    echo ${A} {}\n\nnote: by hand");
}

TEST(MarkdownMessageTest, WordsThatCouldBeMarkupAreCode) {
  const struct {
    std::string title;
    std::string message;
  } rows[] = {
      {"linking failed", "linking failed."},
      {"cuDNN is missing: libcudnn.so.9 is not found",
       "cuDNN is missing: libcudnn.so.9 is not found."},
      {"nvcc is too old for compute_120, or so", "nvcc is too old for `compute_120`, or so."},
      {"a **b** c", "a `**b**` c."},
      {"![x](http://evil.example.org/y)", "`![x](http://evil.example.org/y)`."},
      {"www.example.org", "`www.example.org`."},
      {"a <script> b", "a `<script>` b."},
      {"a &lt; b", "a `&lt`; b."},
      {"a `b` ``c", "a `` `b` `` ``` ``c ```."},
      {"#1 @user !2 ~x $y$ |", "`#1` `@user` `!2` `~x` `$y$` `|`."},
      {"a\\* {0}", "`a\\*` `{` `0}`."},
      {"1. a - b", "`1.` a - b."},
      {"- a", "`-` a."},
      {"    a", "a."},
  };
  for (const auto& row : rows) EXPECT_EQ(MarkdownMessage(Titled(row.title)), row.message);
}

TEST(MarkdownMessageTest, ACommandStaysInItsBlock) {
  EXPECT_EQ(MarkdownMessage(WithCommand("sed -i 's/[=:](a|b)/```<x>/' setup.py")),
            "t.\n\nfix: do it\n\n    sed -i 's/[=:](a|b)/```<x>/' setup.py\n\nnote: by hand");
  EXPECT_EQ(MarkdownMessage(WithCommand("printf 'a\n# b'")), "t.\n\nfix: do it\n\nnote: by hand");
}

}  // namespace
}  // namespace cudadoctor

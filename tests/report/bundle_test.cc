#include "report/bundle.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "report/sample_report.h"

namespace cudadoctor {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Report Sample() {
  Report report = SampleReport();
  report.facts.push_back(
      {"command", ValueType::kCommand, "uv pip install flash-attn", Origin::kLog, 1, 1});
  report.facts.push_back({"python_version", ValueType::kVersion, "3.12.3", Origin::kLog, 2, 1});
  report.facts.push_back({"python_version", ValueType::kVersion, "3.12", Origin::kLog, 3, 1});
  Excerpt excerpt{32, {}};
  for (int line = 32; line <= 38; ++line) excerpt.lines.push_back(absl::StrCat("line ", line));
  excerpt.lines[3].clear();
  report.excerpts = {excerpt};
  return report;
}

TEST(BundleTest, WholeText) {
  EXPECT_EQ(
      RenderBundle(Sample()),
      "**`flash-attn 2.8.3 did not build`**\n"
      "\n"
      "- root, certain, `cuda-version-mismatch`: `PyTorch was built with CUDA 12.8, nvcc is CUDA "
      "13.1`\n"
      "  - proposed: `install CUDA 12.8 beside 13.1 and build with it`\n"
      "\n"
      "cudadoctor 0.1.0; log of 41 lines\n"
      "\n"
      "Commands\n"
      "```text\n"
      "$ uv pip install flash-attn\n"
      "```\n"
      "\n"
      "Versions\n"
      "```text\n"
      "Python        3.12.3\n"
      "torch's CUDA  12.8\n"
      "processors    128 (host)\n"
      "```\n"
      "\n"
      "Log, the deciding lines marked\n"
      "```text\n"
      "  32 | line 32\n"
      "  33 | line 33\n"
      "> 34 | RuntimeError: The detected CUDA version (13.1) mismatches the version that was used "
      "to "
      "compile PyTorch (12.8).\n"
      "  36 | line 36\n"
      "  37 | line 37\n"
      "  38 | line 38\n"
      "```\n");
}

TEST(BundleTest, LogsWithoutAFailure) {
  Report report;
  report.outcome = Outcome::kSucceeded;
  report.input.lines = 12;
  EXPECT_EQ(RenderBundle(report),
            "no failure: this log ends in success\n\ncudadoctor 0.1.0; log of 12 lines\n");
  report.outcome = Outcome::kUndetermined;
  report.input.limits = {"clipped-upstream"};
  EXPECT_EQ(RenderBundle(report),
            "no failure found; the log does not show how it ended\n\n"
            "cudadoctor 0.1.0; log of 12 lines, clipped-upstream\n");
}

TEST(BundleTest, AnUnknownCauseIsNeverCalledCertain) {
  Report report = Sample();
  report.diagnoses[0].cause = "unknown";
  report.diagnoses[0].title = "no known cause; the first error is at line 34";
  report.diagnoses[0].remedies.clear();
  EXPECT_THAT(RenderBundle(report),
              HasSubstr("\n- root, unknown: `no known cause; the first error is at line 34`\n"));
}

bool IsUtf8(const std::string& text) {
  for (size_t i = 0; i < text.size();) {
    const unsigned char lead = static_cast<unsigned char>(text[i]);
    const size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (lead >= 0x80 && lead < 0xC2) return false;
    for (size_t j = 1; j < length; ++j) {
      if (i + j >= text.size() || (text[i + j] & 0xC0) != 0x80) return false;
    }
    i += length;
  }
  return true;
}

// What is left of Markdown when code blocks and code spans, in which nothing is active, are taken
// out. Fails when a block is not closed.
std::string ActivePart(const std::string& text) {
  std::string active;
  bool is_block = false;
  for (const std::string& line : std::vector<std::string>(absl::StrSplit(text, '\n'))) {
    if (line.rfind("```", 0) == 0) {
      EXPECT_EQ(line, is_block ? "```" : "```text");
      is_block = !is_block;
      continue;
    }
    if (is_block) continue;
    bool is_span = false;
    for (const char c : line) {
      if (c == '`') is_span = !is_span;
      if (!is_span && c != '`') active.push_back(c);
    }
    EXPECT_FALSE(is_span) << line;
    active.push_back('\n');
  }
  EXPECT_FALSE(is_block);
  return active;
}

TEST(BundleTest, StaysSmallWhateverTheReportHolds) {
  const std::vector<std::string> payloads = {
      std::string(10000, 'x'),
      std::string(5000, '`'),
      "```\n@everyone <script>alert(1)</script>\n```",
      "``` @everyone ```` `<img src=x onerror=alert(1)>`",
      "~~~\n# heading [link](https://example.org) ![image](https://example.org)",
      absl::StrCat(std::string(299, 'a'), "äöü€😀", std::string(300, 'b')),
      [] {
        std::string smileys;
        for (int i = 0; i < 3000; ++i) smileys += "😀";
        return smileys;
      }(),
      "\r\n\x1b[31m\x07",
      "",
  };
  for (const std::string& payload : payloads) {
    for (const int repeat : {0, 1, 50}) {
      Report report = Sample();
      Diagnosis root = report.diagnoses[0];
      root.title = root.package = root.package_version = root.cause = payload;
      root.remedies[0].title = payload;
      root.evidence[0].text = payload;
      report.diagnoses[0] = root;
      report.input.name = payload;
      for (std::string& line : report.excerpts[0].lines) line = payload;
      for (int i = 0; i < repeat; ++i) {
        Diagnosis another = root;
        another.evidence[0].line = 100 * (i + 1);
        report.diagnoses.push_back(another);
        for (const char* fact : {"command", "torch_version", "gpu_name", "distro"}) {
          report.facts.push_back(
              {fact, ValueType::kText, absl::StrCat(payload, i), Origin::kLog, i + 1, 1});
        }
        report.excerpts.push_back({100 * (i + 1) - 20, std::vector<std::string>(40, payload)});
      }
      const std::string text = RenderBundle(report);
      EXPECT_LE(text.size(), kMaxBundleBytes) << payload.substr(0, 40);
      EXPECT_TRUE(IsUtf8(text)) << payload.substr(0, 40);
      const std::string active = ActivePart(text);
      for (const char* mark : {"@", "<", "[", "#", "~~~", "\x1b"})
        EXPECT_THAT(active, Not(HasSubstr(mark))) << payload.substr(0, 40);
    }
  }
}

// The deciding lines come before their neighbours, and those share the rest evenly.
TEST(BundleTest, ManyLinesAreTrimmedEvenly) {
  Report report = Sample();
  report.excerpts.clear();
  report.diagnoses[0].evidence.clear();
  for (const int line : {100, 300}) {
    report.diagnoses[0].evidence.push_back({line, line, 1, absl::StrCat("decides ", line), "p"});
    report.excerpts.push_back({line - 40, std::vector<std::string>(81, std::string(120, 'n'))});
  }
  const std::string text = RenderBundle(report);
  EXPECT_THAT(text, HasSubstr("> 100 | decides 100\n"));
  EXPECT_THAT(text, HasSubstr("> 300 | decides 300\n"));
  EXPECT_GT(text.size(), kMaxBundleBytes - 200);
  const auto count = [&text](int from, int to) {
    int lines = 0;
    for (int line = from; line < to; ++line)
      lines += text.find(absl::StrCat("\n  ", line, " | ")) != std::string::npos;
    return lines;
  };
  EXPECT_GT(count(60, 141), 5);
  EXPECT_LE(std::abs(count(60, 141) - count(260, 341)), 2);
}

}  // namespace
}  // namespace cudadoctor

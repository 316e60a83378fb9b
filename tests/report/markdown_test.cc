#include "report/markdown.h"

#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "report/hostile_report.h"
#include "report/render.h"

namespace cudadoctor {
namespace {

constexpr std::string_view kSample = R"(### flash-attn 2.8.3 did not build

**PyTorch was built with CUDA 12.8, nvcc is CUDA 13.1** (`cuda-version-mismatch`, certain)

```text
34 | RuntimeError: The detected CUDA version (13.1) mismatches the version that was used to compile PyTorch (12.8).
```

<details>
<summary>what follows from it</summary>

```text
41 | Failed to build flash-attn
```

</details>

**Fix:** install CUDA 12.8 beside 13.1 and build with it

```bash
sudo apt-get install -y cuda-toolkit-12-8
CUDA_HOME=/usr/local/cuda-12.8 PATH=/usr/local/cuda-12.8/bin:$PATH MAX_JOBS=32 uv pip install flash-attn --no-build-isolation
```

Note: takes an hour

Check: `/usr/local/cuda-12.8/bin/nvcc --version` says release 12.8

<details>
<summary>or: take the PyTorch built for CUDA 13.0; costs a 2 GB download</summary>

Note: choose it by hand

</details>

Does not help:

- `MAX_JOBS`: it does not touch this check

More: `cudadoctor explain cuda-version-mismatch`, <https://docs.nvidia.com/>
)";

TEST(RenderMarkdownTest, OneReport) {
  EXPECT_EQ(Render("markdown", SampleReport(), {}), "<!-- cudadoctor -->\n" + std::string(kSample));
}

TEST(RenderMarkdownTest, SeveralReportsAreOneDocument) {
  Report success;
  success.input = {"b`.log", 3, 30, {}};
  success.outcome = Outcome::kSucceeded;
  const Report reports[] = {success, SampleReport(), Report()};
  const std::string text = RenderMarkdown(reports, {.names_input = true});
  EXPECT_EQ(text, "<!-- cudadoctor -->\n### `build.log`: " +
                      std::string(kSample.substr(std::string_view("### ").size())) +
                      "\n`` b`.log ``: no failure: this log ends in success\n"
                      "\n: the log is empty: nothing to diagnose\n");
}

TEST(RenderMarkdownTest, WithoutADiagnosis) {
  Report report;
  report.outcome = Outcome::kSucceeded;
  EXPECT_EQ(Render("markdown", report, {}),
            "<!-- cudadoctor -->\nno failure: this log ends in success\n");
}

TEST(MarkdownSectionsTest, BesidesClippedAndUnknown) {
  Report report = SampleReport();
  report.input.limits = {"clipped-upstream"};
  Diagnosis latent = report.diagnoses[0];
  latent.cause = "torch-arch-unknown";
  latent.role = Role::kLatent;
  latent.title = "the arch list is ignored";
  latent.evidence = {{7, 7, 1, "TORCH_CUDA_ARCH_LIST=10.0", "x"}};
  report.diagnoses.push_back(latent);
  report.diagnoses[0].cause = "unknown";
  report.diagnoses[0].title = "no known cause; the first error is at line 34";
  report.diagnoses[0].symptoms.clear();
  report.diagnoses[0].remedies.clear();
  report.diagnoses[0].avoid.clear();
  EXPECT_EQ(MarkdownSections({&report, 1}, {false, 9999}), R"(### flash-attn 2.8.3 did not build

**no known cause; the first error is at line 34**

```text
34 | RuntimeError: The detected CUDA version (13.1) mismatches the version that was used to compile PyTorch (12.8).
```

Note: this log was cut before it got here; the full log may show another cause

**Besides:** the arch list is ignored (`torch-arch-unknown`, certain)

```text
7 | TORCH_CUDA_ARCH_LIST=10.0
```
)");
}

TEST(MarkdownSectionsTest, WhatDoesNotFitIsLeftOutWhole) {
  const std::vector<Report> reports(3, SampleReport());
  const size_t one = kSample.size();
  const struct {
    size_t bytes;
    std::string expected;
  } rows[] = {
      {one * 4, std::string(kSample) + "\n" + std::string(kSample) + "\n" + std::string(kSample)},
      {one * 2, std::string(kSample) +
                    "\n2 diagnoses are left out for want of room; `--format json` has all.\n"},
      {one * 3, std::string(kSample) + "\n" + std::string(kSample) +
                    "\n1 diagnosis is left out for want of room; `--format json` has all.\n"},
      {0, "3 diagnoses are left out for want of room; `--format json` has all.\n"},
  };
  for (const auto& row : rows)
    EXPECT_EQ(MarkdownSections(reports, {false, row.bytes}), row.expected) << row.bytes;
}

TEST(MarkdownSectionsTest, TheChainNamesALineOnce) {
  Report report = SampleReport();
  report.diagnoses[0].symptoms.push_back({"another", 41, "Failed to build flash-attn"});
  EXPECT_EQ(MarkdownSections({&report, 1}, {false, 99999}), kSample);
  report.diagnoses[0].symptoms.clear();
  for (int i = 1; i <= 12; ++i) report.diagnoses[0].symptoms.push_back({"x", i, "ninja: stopped"});
  EXPECT_NE(
      MarkdownSections({&report, 1}, {false, 99999}).find("10 | ninja: stopped\nand 2 more\n"),
      std::string::npos);
}

TEST(MarkdownInlineTest, EveryWordThatCouldBeMoreIsCode) {
  const struct {
    const char* text;
    const char* expected;
  } rows[] = {
      {"", ""},
      {"PyTorch 2.10.0+cu128 was built for CUDA 12.8 (not 13.1).",
       "PyTorch 2.10.0+cu128 was built for CUDA 12.8 (not 13.1)."},
      {"costs a 2 GB download; 7 = 0.9 × 62 GiB", "costs a 2 GB download; 7 = 0.9 × 62 GiB"},
      {"set MAX_JOBS=4, then (CUDA_HOME).", "set `MAX_JOBS=4`, then (`CUDA_HOME`)."},
      {"@octocat", "`@octocat`"},
      {"see #123 and GH-7", "see `#123` and `GH-7`"},
      {"commit deadbee", "commit `deadbee`"},
      {"https://x.org www.x.org (WWW.x.org)", "`https://x.org` `www.x.org` (`WWW.x.org`)"},
      {"at::view(int) is f(x).", "`at::view(int)` is f(x)."},
      {"call at::f()", "call `at::f()`"},
      {"a:b :tada:", "`a:b` `:tada`:"},
      {"<b> &amp; \\", "`<b>` `&amp`; `\\`"},
      {"a`b ``", "`` a`b `` ``` `` ```"},
      {"![x](y)", "`![x](y)`"},
      {"- a", "`-` a"},
      {"1. a 2.", "`1.` a 2."},
      {"12) a", "`12)` a"},
      {"a\nb  c\r", "a b c"},
      {"\"quoted_\"", "\"`quoted_`\""},
      {"() _ '#'", "() `_` '`#`'"},
  };
  for (const auto& row : rows) EXPECT_EQ(MarkdownInline(row.text), row.expected) << row.text;
}

TEST(MarkdownFenceTest, IsLongerThanWhatItHolds) {
  EXPECT_EQ(MarkdownFence("bash", "a"), "```bash\na\n```\n");
  EXPECT_EQ(MarkdownFence("", ""), "```\n```\n");
  EXPECT_EQ(MarkdownFence("text", "a\n```\n"), "````text\na\n```\n````\n");
  EXPECT_EQ(MarkdownFence("text", "x ````` y"), "``````text\nx ````` y\n``````\n");
}

// `line` without its code spans, as CommonMark 0.30 (6.1) finds them.
std::string WithoutCode(std::string_view line) {
  std::string rest;
  for (size_t i = 0; i < line.size();) {
    if (line[i] != '`') {
      rest.push_back(line[i++]);
      continue;
    }
    const size_t after = std::min(line.find_first_not_of('`', i), line.size());
    const size_t length = after - i;
    size_t end = after;
    for (size_t start = after; start < line.size(); start = end) {
      start = std::min(line.find('`', start), line.size());
      end = std::min(line.find_first_not_of('`', start), line.size());
      if (end - start == length) break;
    }
    i = end == line.size() && !line.ends_with('`') ? after : end;
  }
  return rest;
}

// What is neither code nor our own marks is plain words.
TEST(RenderMarkdownTest, NoTextIsMoreThanText) {
  for (const std::string_view payload : kPayloads) {
    const std::string text = Render("markdown", HostileReport(payload), {.names_input = true});
    std::string fence;
    size_t fences = 0;
    for (const std::string& line : std::vector<std::string>(absl::StrSplit(text, '\n'))) {
      if (!fence.empty()) {
        if (line == fence) fence.clear();
        continue;
      }
      if (line.starts_with("```") && line.find('`', line.find_first_not_of('`')) == line.npos) {
        fence = line.substr(0, line.find_first_not_of('`'));
        ++fences;
        continue;
      }
      std::string rest = WithoutCode(line);
      if (line.starts_with("<summary>")) {
        for (size_t at = 0; (at = rest.find("<code>")) != std::string::npos;)
          rest.erase(at, rest.find("</code>") - at + 7);
      }
      rest = absl::StrReplaceAll(rest, {{"<details>", ""},
                                        {"</details>", ""},
                                        {"<summary>", ""},
                                        {"</summary>", ""},
                                        {"&quot;", ""},
                                        {"<!-- cudadoctor -->", ""},
                                        {"### ", ""},
                                        {"**", ""}});
      EXPECT_EQ(rest.find_first_of("<>[]@#*_~!$|\\`&{}%^"), std::string::npos) << payload << "\n"
                                                                               << line << "\n"
                                                                               << rest;
      EXPECT_EQ(rest.find("://"), std::string::npos) << line;
      EXPECT_EQ(rest.find("www."), std::string::npos) << line;
    }
    EXPECT_EQ(fence, "") << text;
    EXPECT_EQ(fences, 4u) << text;
  }
}

TEST(RenderMarkdownTest, WithoutAPackageTheCauseIsTheHeading) {
  Report report = SampleReport();
  report.diagnoses[0].package.clear();
  const std::string text = Render("markdown", report);
  EXPECT_NE(text.find("### PyTorch was built with CUDA 12.8, nvcc is CUDA "
                      "13.1\n\n(`cuda-version-mismatch`, certain)\n\n```text"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace cudadoctor

#include "report/html_log.h"

#include <algorithm>
#include <string>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

constexpr HtmlLogLimits kRoomy = {.lines = 1000, .bytes = 100'000};

// A log of `lines` lines, all of them in one excerpt, with evidence at `evidence` and a symptom at
// `symptom`.
Report LogOf(int lines, int evidence, int symptom) {
  Report report;
  report.input.lines = lines;
  Diagnosis diagnosis;
  diagnosis.evidence = {{evidence, evidence, 1, "", ""}};
  diagnosis.symptoms = {{"ninja-stopped", symptom, ""}};
  report.diagnoses = {diagnosis};
  Excerpt excerpt;
  excerpt.first_line = 1;
  for (int i = 1; i <= lines; ++i) excerpt.lines.push_back("text");
  report.excerpts = {excerpt};
  return report;
}

size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(HtmlLogTest, MarksAndGaps) {
  Report report = LogOf(0, 3, 7);
  report.input.lines = 1400;
  report.diagnoses[0].evidence[0].last_line = 4;
  report.excerpts = {{2, {"before", "a <b>", "c"}}, {7, {"stopped"}}};
  EXPECT_EQ(HtmlLog(report, 1, kRoomy).Lines(), R"(<div class="log">
<p class="gap">line 1 is left out</p>
<pre><span id="r1-L2"><a href="#r1-L2" tabindex="-1">2</a>before
</span><span id="r1-L3" class="is-evidence"><a href="#r1-L3">3</a>a &lt;b&gt;<a class="tag" href="#r1-d1">evidence</a>
</span><span id="r1-L4" class="is-evidence"><a href="#r1-L4">4</a>c
</span></pre>
<p class="gap">lines 5 to 6 are left out</p>
<pre><span id="r1-L7" class="is-symptom"><a href="#r1-L7">7</a>stopped<a class="tag" href="#r1-d1">symptom</a>
</span></pre>
<p class="gap">lines 8 to 1,400 are left out</p>
</div>
)");
}

TEST(HtmlLogTest, WholeLogHasNoGap) {
  const std::string html = HtmlLog(LogOf(5, 2, 4), 1, kRoomy).Lines();
  EXPECT_EQ(Count(html, "<span "), 5u);
  EXPECT_EQ(Count(html, "left out"), 0u);
}

TEST(HtmlLogTest, ALineThatIsEvidenceAndSymptomIsEvidence) {
  const std::string html = HtmlLog(LogOf(3, 2, 2), 1, kRoomy).Lines();
  EXPECT_EQ(Count(html, "class=\"tag\""), 1u) << html;
  EXPECT_EQ(Count(html, ">evidence</a>"), 1u) << html;
}

TEST(HtmlLogTest, OfALatentCauseTheEvidenceIsANote) {
  Report report = LogOf(5, 2, 4);
  report.diagnoses[0].role = Role::kLatent;
  const HtmlLog log(report, 1, kRoomy);
  EXPECT_EQ(Count(log.Lines(), ">note</a>"), 1u);
  EXPECT_EQ(Count(log.Lines(), "class=\"tag\""), 1u);
  EXPECT_EQ(Count(log.Map(), "is-symptom"), 0u);
}

TEST(HtmlLogTest, LinksOnlyToLinesThatAreThere) {
  const HtmlLog log(LogOf(5, 2, 4), 3, kRoomy);
  EXPECT_EQ(log.Link(5, 5), R"(<a href="#r3-L5">line 5</a>)");
  EXPECT_EQ(log.Link(2, 3), R"(<a href="#r3-L2">lines 2 to 3</a>)");
  EXPECT_EQ(log.Link(6, 6), "line 6");
  EXPECT_EQ(log.Link(0, 0), "line 0");
}

// Lines around the two marks, as many as fit.
TEST(HtmlLogTest, Limits) {
  struct Row {
    const char* name;
    HtmlLogLimits limits;
    size_t lines;
  };
  const Row rows[] = {
      {"all fits exactly", {.lines = 200, .bytes = 800}, 200},
      {"one line too many: 20 around", {.lines = 199, .bytes = 800}, 82},
      {"one byte too many: 20 around", {.lines = 200, .bytes = 799}, 82},
      {"10 around", {.lines = 81, .bytes = 800}, 42},
      {"5 around, by bytes", {.lines = 200, .bytes = 41 * 4}, 22},
      {"2 around", {.lines = 10, .bytes = 800}, 10},
      {"the marks alone", {.lines = 9, .bytes = 800}, 2},
      {"not even these", {.lines = 1, .bytes = 800}, 1},
      {"nothing", {.lines = 0, .bytes = 800}, 0},
  };
  const Report report = LogOf(200, 60, 140);
  for (const Row& row : rows) {
    const HtmlLog log(report, 1, row.limits);
    EXPECT_EQ(Count(log.Lines(), "<span "), row.lines) << row.name;
    EXPECT_EQ(log.empty(), row.lines == 0) << row.name;
    if (row.lines >= 2) {
      EXPECT_EQ(Count(log.Lines(), "class=\"tag\""), 2u) << row.name;
    }
  }
}

TEST(HtmlLogTest, Map) {
  Report report = LogOf(100, 26, 76);
  EXPECT_EQ(
      HtmlLog(report, 1, {.lines = 5, .bytes = 800}).Map(),
      R"(<figure class="map"><svg viewBox="0 0 1000 20" preserveAspectRatio="none" role="img" )"
      R"(aria-label="the log of 100 lines; evidence at line 26; symptom at line 76">)"
      R"(<rect x="0" y="0" width="1000" height="20"/>)"
      R"(<rect class="is-shown" x="250.0" y="0" width="10.0" height="20"/>)"
      R"(<rect class="is-shown" x="750.0" y="0" width="10.0" height="20"/>)"
      R"(<line class="is-evidence" x1="255.0" x2="255.0" y1="0" y2="20"/>)"
      R"(<line class="is-symptom" x1="755.0" x2="755.0" y1="0" y2="20"/></svg><figcaption>)"
      R"(<span class="key is-evidence">evidence</span><span class="key is-symptom">symptom</span>)"
      "<span>the whole log, 100 lines</span></figcaption></figure>\n");
  report.diagnoses.clear();
  EXPECT_EQ(HtmlLog(report, 1, kRoomy).Map(), "");
  EXPECT_EQ(HtmlLog(Report(), 1, kRoomy).Map(), "");
}

}  // namespace
}  // namespace cudadoctor

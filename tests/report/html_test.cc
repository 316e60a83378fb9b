#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "report/html_parts.h"
#include "report/render.h"
#include "report/sample_report.h"

namespace cudadoctor {
namespace {

Report WithLog(Report report) {
  report.excerpts = {{30, {"one", "two", "three", "four", "RuntimeError: The detected"}}};
  return report;
}

size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// The page without its style and script, in which '<' begins tags only.
std::string Markup(std::string html) {
  for (const HtmlPart* part : {&kHtmlStyle, &kHtmlScript}) {
    const size_t at = html.find(part->text);
    EXPECT_NE(at, std::string::npos);
    if (at != std::string::npos) html.erase(at, part->text.size());
  }
  return html;
}

// What is wrong with a page: tags that a report does not have, tags that do not close, attributes
// that act, links to places that are not there, ids given twice.
std::vector<std::string> Mistakes(const std::string& page) {
  static const std::set<std::string> kTags = {
      "!DOCTYPE", "a",          "article", "b",       "body", "button", "code",  "details",
      "div",      "figcaption", "figure",  "footer",  "h1",   "h2",     "h3",    "h4",
      "head",     "header",     "html",    "input",   "kbd",  "label",  "li",    "line",
      "main",     "meta",       "ol",      "output",  "p",    "pre",    "rect",  "script",
      "section",  "span",       "style",   "summary", "svg",  "table",  "tbody", "td",
      "th",       "thead",      "title",   "tr",      "ul"};
  static const std::set<std::string> kVoid = {"!DOCTYPE", "input", "line", "meta", "rect"};
  const std::string html = Markup(page);
  std::vector<std::string> mistakes, open;
  std::set<std::string> ids, links;
  for (size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
    const size_t end = html.find('>', at);
    const std::string tag = html.substr(at + 1, end - at - 1);
    const bool closes = tag[0] == '/';
    const std::string name =
        tag.substr(closes ? 1 : 0, tag.find_first_of(" /", 1) - (closes ? 1 : 0));
    if (kTags.count(name) == 0) mistakes.push_back("tag " + tag);
    if (closes) {
      if (open.empty() || open.back() != name) mistakes.push_back("closes " + name);
      if (!open.empty()) open.pop_back();
    } else if (kVoid.count(name) == 0) {
      open.push_back(name);
    }
    for (size_t equals = tag.find("=\""); equals != std::string::npos;) {
      const size_t begin = tag.rfind(' ', equals) + 1;
      const size_t close = tag.find('"', equals + 2);
      const std::string key = tag.substr(begin, equals - begin);
      const std::string value = tag.substr(equals + 2, close - equals - 2);
      if (key.substr(0, 2) == "on" || key == "style" || key == "src")
        mistakes.push_back("attribute " + key);
      if (key == "id" && !ids.insert(value).second) mistakes.push_back("twice " + value);
      if (key == "href" && value[0] == '#') {
        links.insert(value.substr(1));
      } else if (key == "href" && value.substr(0, 8) != "https://") {
        mistakes.push_back("link " + value);
      }
      if (key == "aria-labelledby" || key == "for") links.insert(value);
      equals = tag.find("=\"", close + 1);
    }
  }
  for (const std::string& one : open) mistakes.push_back("open " + one);
  for (const std::string& link : links)
    if (ids.count(link) == 0) mistakes.push_back("nothing is called " + link);
  return mistakes;
}

TEST(RenderHtmlTest, MistakesAreFound) {
  const std::string page = Render("html", SampleReport());
  struct Row {
    const char* add;
    const char* mistake;
  };
  const Row rows[] = {
      {"<i>x</i>", "tag i"},
      {"<p>", "closes main"},
      {"<p onclick=\"x\"></p>", "attribute onclick"},
      {"<a href=\"javascript:x\"></a>", "link javascript:x"},
      {"<a href=\"#nowhere\"></a>", "nothing is called nowhere"},
      {"<p id=\"r1\"></p>", "twice r1"},
  };
  for (const Row& row : rows) {
    std::string bad = page;
    bad.insert(bad.find("</main>"), row.add);
    const std::vector<std::string> mistakes = Mistakes(bad);
    ASSERT_FALSE(mistakes.empty()) << row.add;
    EXPECT_EQ(mistakes.front(), row.mistake);
  }
}

TEST(RenderHtmlTest, SaysAllOfAReport) {
  const std::string html = Render("html", WithLog(SampleReport()));
  EXPECT_EQ(Mistakes(html), std::vector<std::string>());
  for (const char* part :
       {"<title>flash-attn 2.8.3 did not build (build.log)</title>",
        ">flash-attn 2.8.3 did not build</h1>",
        "build.log, 41 lines, 2,048 bytes; outcome: failed",
        ">PyTorch was built with CUDA 12.8, nvcc is CUDA 13.1</h2>",
        "<code>cuda-version-mismatch</code>, <b>certain</b>; trying again without a change fails",
        R"(<a href="#r1-L34">lines 34 to 35</a>)",
        "mismatches the version that was used to compile",
        R"(<li class="is-symptom"><p>symptom, line 41</p><code>wheel-build-failed</code>)",
        ">install CUDA 12.8 beside 13.1 and build with it</h3>",
        "<b>needs</b> root, the network",
        "<b>why</b> toolkits live side by side",
        ">takes an hour</p>",
        "aria-label=\"copy sudo apt-get install -y cuda-toolkit-12-8\"",
        "this says release 12.8",
        ">take the PyTorch built for CUDA 13.0</h3>",
        "<b>costs</b> a 2 GB download",
        "<li>MAX_JOBS: it does not touch this check</li>",
        "both must agree",
        R"(<a href="https://docs.nvidia.com/" rel="noreferrer">)",
        "<summary>Facts (2)</summary>",
        "<code>torch_cuda</code></th><td><code>12.8</code></td><td>log</td>",
        "<td>host</td>",
        "<summary>Units of work (1)</summary>",
        "<td>package-build</td>",
        R"(<span id="r1-L34" class="is-evidence">)",
        "lines 35 to 41 are left out"})
    EXPECT_NE(html.find(part), std::string::npos) << part;
}

TEST(RenderHtmlTest, WithoutALogThereIsNothingToSearch) {
  const std::string html = Markup(Render("html", SampleReport()));
  EXPECT_EQ(Mistakes(Render("html", SampleReport())), std::vector<std::string>());
  EXPECT_EQ(Count(html, "role=\"search\""), 0u);
  EXPECT_EQ(Count(html, "class=\"log\""), 0u);
  EXPECT_NE(html.find("<p>lines 34 to 35</p>"), std::string::npos);
}

TEST(RenderHtmlTest, WithoutADiagnosis) {
  struct Row {
    Outcome outcome;
    int64_t lines;
    const char* expected;
  };
  const Row rows[] = {
      {Outcome::kSucceeded, 9, ">no failure: this log ends in success</h1>"},
      {Outcome::kUndetermined, 9, ">no failure found; the log does not show how it ended</h1>"},
      {Outcome::kUndetermined, 0, ">the log is empty: nothing to diagnose</h1>"},
  };
  for (const Row& row : rows) {
    Report report;
    report.input = {"-", row.lines, 10, {}};
    report.outcome = row.outcome;
    const std::string html = Render("html", report);
    EXPECT_EQ(Mistakes(html), std::vector<std::string>());
    EXPECT_NE(html.find(row.expected), std::string::npos) << row.expected;
    EXPECT_NE(html.find(">standard input, "), std::string::npos);
  }
}

TEST(RenderHtmlTest, UnknownAndClipped) {
  Report report = SampleReport();
  report.input.limits = {"evidence-cut", "clipped-upstream"};
  report.diagnoses[0].cause = "unknown";
  const std::string html = Render("html", report);
  EXPECT_NE(html.find("<p class=\"limit\">this log was cut before it got here"), std::string::npos);
  EXPECT_NE(html.find("<p class=\"verdict\"><code>unknown</code></p>"), std::string::npos);
  EXPECT_EQ(Render("html", SampleReport()).find("class=\"limit\""), std::string::npos);
}

TEST(RenderHtmlTest, WhatIsNoRootStandsBesideOne) {
  Report report = WithLog(SampleReport());
  Diagnosis latent = report.diagnoses[0];
  latent.cause = "torch-arch-unknown";
  latent.role = Role::kLatent;
  latent.title = "the arch list is ignored";
  Diagnosis second = report.diagnoses[0];
  second.package = "apex";
  report.diagnoses.push_back(second);
  report.diagnoses.push_back(latent);
  const std::string html = Render("html", report);
  EXPECT_EQ(Mistakes(html), std::vector<std::string>());
  EXPECT_EQ(Count(html, "<p class=\"label\">cause</p>"), 2u);
  EXPECT_NE(html.find("<p class=\"kicker\">apex 2.8.3 did not build</p>"), std::string::npos);
  const size_t aside = html.find("<p class=\"label\">besides</p>");
  ASSERT_NE(aside, std::string::npos);
  EXPECT_NE(html.find("<code>torch-arch-unknown</code>, <b>certain</b>, latent</p>", aside),
            std::string::npos);
  EXPECT_EQ(html.find("class=\"chain\"", aside), std::string::npos);
  EXPECT_NE(html.find("<summary>What can be done</summary>", aside), std::string::npos);
}

TEST(RenderHtmlTest, SeveralReports) {
  Report success;
  success.input = {"good.log", 3, 30, {}};
  success.outcome = Outcome::kSucceeded;
  const std::vector<Report> reports = {WithLog(SampleReport()), success, WithLog(SampleReport())};
  const std::string html = FindFormat("html")->render(reports, {});
  EXPECT_EQ(Mistakes(html), std::vector<std::string>());
  EXPECT_EQ(Count(html, "<h1>3 logs</h1>"), 1u);
  EXPECT_EQ(Count(html, "did not build</h2>"), 2u);
  EXPECT_NE(html.find("<a href=\"#r2\">good.log</a></td><td>no failure: this log ends in success"),
            std::string::npos);
  EXPECT_NE(html.find("id=\"r3-L34\""), std::string::npos);
  const std::string none = FindFormat("html")->render({}, {});
  EXPECT_EQ(Mistakes(none), std::vector<std::string>());
  EXPECT_NE(none.find("<h1>no log</h1>"), std::string::npos);
}

// However much is quoted, a page stays one that a browser opens at once.
TEST(RenderHtmlTest, Limits) {
  Report report = SampleReport();
  report.input.lines = 60'000;
  report.excerpts = {{1, std::vector<std::string>(50'000, "a line")}};
  EXPECT_LE(Count(Render("html", report), "<span id="), 4'000u);
  report.excerpts = {{1, std::vector<std::string>(3'000, std::string(4'000, 'x'))}};
  EXPECT_LE(Render("html", report).size(), size_t{1} << 20);
  report.excerpts = {{1, std::vector<std::string>(3'000, "a line")}};
  const std::vector<Report> many(50, report);
  EXPECT_LE(Count(FindFormat("html")->render(many, {}), "<span id="), 20'000u);
}

// Every text of a report is one that a log, a file's name or a rule of someone else may decide.
TEST(RenderHtmlTest, HostileTextsStayText) {
  for (const std::string payload :
       {"<script>alert(1)</script>", "</textarea></pre><img src=x onerror=alert(1)>",
        "\" onmouseover=\"alert(1)", "' onfocus='alert(1)",
        "</title></style></script><svg/onload=x>", "]]><!--", "javascript:alert(1)",
        "\u202E<b>\u2066", "`<b>` --<b>", "&lt;b&gt;\x01<"}) {
    Report report = WithLog(SampleReport());
    report.input.name = payload;
    report.units[0].kind = report.units[0].name = payload;
    for (Fact& fact : report.facts) {
      fact.name = fact.value = fact.at = payload;
    }
    Diagnosis& diagnosis = report.diagnoses[0];
    for (std::string* text : {&diagnosis.cause, &diagnosis.group, &diagnosis.retry,
                              &diagnosis.title, &diagnosis.package, &diagnosis.package_version,
                              &diagnosis.explanation, &diagnosis.fingerprint})
      *text = payload;
    diagnosis.evidence[0].text = diagnosis.evidence[0].pattern = payload;
    diagnosis.evidence[0].source = SourceLocation{payload, 3, 4};
    diagnosis.symptoms[0].id = diagnosis.symptoms[0].text = payload;
    for (Remedy& remedy : diagnosis.remedies) {
      remedy.id = remedy.title = remedy.why = remedy.cost = payload;
      remedy.needs = {payload};
      remedy.steps = {{payload, payload}};
      remedy.check = Check{payload, payload};
    }
    diagnosis.avoid = diagnosis.references = {payload};
    report.excerpts = {{30, std::vector<std::string>(10, payload)}};
    const std::vector<Report> reports = {report, report};
    for (const std::string& html :
         {Render("html", report), FindFormat("html")->render(reports, {})}) {
      EXPECT_EQ(Mistakes(html), std::vector<std::string>()) << payload;
      EXPECT_EQ(Markup(html).find("\u202E"), std::string::npos) << payload;
    }
  }
}

}  // namespace
}  // namespace cudadoctor

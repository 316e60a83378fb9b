// report/hostile_report.h: a report in which every text from a log is an attack, for the tests of
// renderers.
#ifndef CUDADOCTOR_TESTS_REPORT_HOSTILE_REPORT_H_
#define CUDADOCTOR_TESTS_REPORT_HOSTILE_REPORT_H_

#include <array>
#include <string>
#include <string_view>

#include "report/sample_report.h"

namespace cudadoctor {

// What a line of a log may hold, cleaned as Evidence::text is.
inline constexpr std::array<std::string_view, 20> kPayloads = {
    "::error file=x::owned",
    "::set-output name=retry::transient",
    "::stop-commands::x",
    "a ##[error]owned",
    "##vso[task.setvariable variable=PATH]/tmp/x",
    "x ##vso[task.complete result=Succeeded;]done",
    "section_end:1:cudadoctor_7",
    "--- collapsed",
    "+++ expanded",
    "^^^ +++",
    "~~~ muted",
    "@octocat see #123 and GH-7, owner/repo#5 !9 ~bug",
    "<img src=https://files.example.org/p.png> <script>alert(1)</script> <!-- cudadoctor -->",
    "![pixel](https://files.example.org/p.png) [link](javascript:alert(1))",
    "``` ````` ```",
    "</details></summary><h1>",
    "%0A::error::x %25 %3B ; ] , :",
    "| a | b | $x$ $(System.AccessToken) ${{ secrets.X }} :rocket:",
    "https://files.example.org/x www.example.org deadbeefcafe me@example.org",
    "*x* _y_ ~~z~~ \\ `code` - [ ] 1. # h",
};

// The sample with `payload` wherever a log's text can get.
inline Report HostileReport(std::string_view payload) {
  const std::string text(payload);
  Report report = SampleReport();
  Diagnosis& diagnosis = report.diagnoses[0];
  report.input.name = text;
  diagnosis.title = text;
  diagnosis.package = text;
  diagnosis.evidence[0].text = text;
  diagnosis.evidence[0].source = SourceLocation{text, 12, 5};
  diagnosis.symptoms[0].text = text;
  diagnosis.avoid = {text};
  diagnosis.references = {text};
  for (Remedy& remedy : diagnosis.remedies) {
    remedy.title = text;
    remedy.cost = text;
    remedy.steps = {{text, text}};
    remedy.check = Check{text, text};
  }
  return report;
}

}  // namespace cudadoctor

#endif  // CUDADOCTOR_TESTS_REPORT_HOSTILE_REPORT_H_

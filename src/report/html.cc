#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/views.h"
#include "report/html_log.h"
#include "report/html_parts.h"
#include "report/html_text.h"
#include "report/names.h"
#include "report/renderer.h"

namespace cudadoctor {
namespace {

// Of a log that is worth a page, what is quoted has up to 14 places a diagnosis with 81 lines each;
// this holds three such diagnoses, and a browser lays it out in a fraction of a second.
constexpr HtmlLogLimits kLogLimits = {.lines = 4'000, .bytes = 512 << 10};
// Of all reports of one page together: a few megabytes, which mail and artifact viewers still take.
constexpr HtmlLogLimits kPageLimits = {.lines = 20'000, .bytes = 3 << 20};

std::string_view NeedInWords(std::string_view need) {
  if (need == "root") return "root";
  if (need == "network") return "the network";
  if (need == "driver") return "a change of the driver";
  if (need == "reboot") return "a restart of the machine";
  if (need == "windows") return "Windows";
  return need;
}

// What the report says in a line.
std::string Summary(const Report& report) {
  return report.diagnoses.empty() ? NoDiagnosis(report) : Heading(report, report.diagnoses.front());
}

std::string InputName(const Report& report) {
  return report.input.name == "-" ? "standard input" : report.input.name;
}

std::string Command(std::string_view run) {
  return absl::StrCat("<div class=\"command\"><pre><code>", HtmlWords(run),
                      "</code></pre><button type=\"button\" data-script hidden aria-label=\"copy ",
                      HtmlText(run), "\">copy</button></div>\n");
}

// `text` in an element of this class, or nothing for no text.
std::string Paragraph(std::string_view css_class, std::string_view text) {
  if (text.empty()) return "";
  return absl::StrCat("<p class=\"", Absl(css_class), "\">", HtmlProse(text), "</p>\n");
}

// One report as an article of the page.
class HtmlReport {
 public:
  // `level` of the report's own heading: 1 or 2.
  HtmlReport(const Report& report, size_t number, int level, const HtmlLogLimits& limits)
      : report_(report), number_(number), level_(level), log_(report, number, limits) {}

  std::string Render() {
    const std::string id = HtmlId(number_);
    absl::StrAppend(&html_, "<article class=\"report\" id=\"", id, "\" aria-labelledby=\"", id,
                    "-title\">\n", Heading(0, "", HtmlText(Summary(report_)), id + "-title"));
    absl::StrAppend(
        &html_, "<p class=\"meta\">", HtmlText(InputName(report_)), ", ",
        report_.input.lines == 1 ? "1 line" : HtmlNumber(report_.input.lines) + " lines", ", ",
        HtmlNumber(report_.input.bytes), " bytes; outcome: ", Name(report_.outcome), "</p>\n");
    html_.append(Paragraph("limit", LimitOf(report_)));
    for (size_t i = 0; i < report_.diagnoses.size(); ++i) AddDiagnosis(i);
    AddFacts();
    AddUnits();
    if (!log_.empty()) {
      absl::StrAppend(&html_, "<section class=\"log-section\">\n",
                      Heading(1, "", "The log around what is quoted", id + "-log"), log_.Map(),
                      log_.Lines(), "</section>\n");
    }
    html_.append("</article>\n");
    return std::move(html_);
  }

 private:
  std::string Heading(int below, std::string_view css_class, const std::string& html,
                      const std::string& id = "") const {
    const std::string tag = absl::StrCat("h", level_ + below);
    return absl::StrCat("<", tag, id.empty() ? "" : absl::StrCat(" id=\"", id, "\""),
                        css_class.empty() ? "" : absl::StrCat(" class=\"", Absl(css_class), "\""),
                        ">", html, "</", tag, ">\n");
  }

  void StartRow(std::string_view css_class, std::string_view label) {
    absl::StrAppend(&html_, "<div class=\"row ", Absl(css_class), "\"><p class=\"label\">",
                    Absl(label), "</p><div>\n");
  }
  void EndRow() { html_.append("</div></div>\n"); }

  // What is no root shows its remedies on demand beside one.
  void AddDiagnosis(size_t index) {
    const Diagnosis& diagnosis = report_.diagnoses[index];
    const bool is_aside = IsBesideRoot(report_, diagnosis);
    const std::string id = HtmlDiagnosisId(number_, index + 1);
    absl::StrAppend(&html_, "<section class=\"diagnosis\" id=\"", id, "\">\n");
    const bool is_cause = diagnosis.role != Role::kLatent;
    StartRow(is_cause ? "is-cause" : "", is_aside ? "besides" : is_cause ? "cause" : "note");
    if (index > 0 && !is_aside) html_.append(Paragraph("kicker", Headline(report_, diagnosis)));
    absl::StrAppend(&html_, Heading(1, "title", HtmlText(diagnosis.title), id + "-title"),
                    "<p class=\"verdict\">", Verdict(diagnosis), "</p>\n");
    AddEvidence(diagnosis);
    EndRow();
    AddChain(diagnosis);
    if (is_aside)
      html_.append("<details><summary>What can be done</summary><div class=\"inside\">\n");
    for (const Remedy& remedy : diagnosis.remedies) AddRemedy(remedy);
    AddAvoid(diagnosis);
    AddMore(diagnosis);
    if (is_aside) html_.append("</div></details>\n");
    html_.append("</section>\n");
  }

  static std::string Verdict(const Diagnosis& diagnosis) {
    std::string html = absl::StrCat("<code>", HtmlText(diagnosis.cause), "</code>");
    if (diagnosis.cause != "unknown")
      absl::StrAppend(&html, ", <b>", Name(diagnosis.confidence), "</b>");
    if (diagnosis.role != Role::kRoot) absl::StrAppend(&html, ", ", Name(diagnosis.role));
    if (diagnosis.role == Role::kRoot && diagnosis.cause != "unknown") {
      html.append(diagnosis.retry == "transient"
                      ? "; trying again may be enough"
                      : "; trying again without a change fails in the same way");
    }
    return html;
  }

  // The lines that show the cause.
  void AddEvidence(const Diagnosis& diagnosis) {
    if (diagnosis.evidence.empty()) return;
    html_.append("<ul class=\"evidence\">\n");
    for (const Evidence& evidence : diagnosis.evidence) {
      absl::StrAppend(&html_, "<li><p>", log_.Link(evidence.line, evidence.last_line),
                      evidence.source.has_value() ? Source(*evidence.source) : "", "</p><code>",
                      HtmlText(evidence.text), "</code></li>\n");
    }
    html_.append("</ul>\n");
  }

  static std::string Source(const SourceLocation& source) {
    std::string place = absl::StrCat(source.file, ":", source.line);
    if (source.column > 0) absl::StrAppend(&place, ":", source.column);
    return absl::StrCat(", about <code>", HtmlText(place), "</code>");
  }

  // The way from the cause to what the log ends with, as boxes and arrows.
  void AddChain(const Diagnosis& diagnosis) {
    if (diagnosis.role == Role::kLatent || diagnosis.symptoms.empty()) return;
    StartRow("", "chain");
    html_.append("<ol class=\"chain\" aria-label=\"from the cause to its symptoms\">\n");
    const std::string shown =
        diagnosis.evidence.empty()
            ? ""
            : log_.Link(diagnosis.evidence[0].line, diagnosis.evidence[0].last_line);
    AddBox("is-cause", "cause", diagnosis.cause, shown, diagnosis.title);
    for (const Symptom& symptom : diagnosis.symptoms) {
      AddBox("is-symptom", "symptom", symptom.id, log_.Link(symptom.line, symptom.line),
             symptom.text);
    }
    html_.append("</ol>\n");
    EndRow();
  }

  void AddBox(const char* css_class, const char* kind, std::string_view id, const std::string& line,
              std::string_view text) {
    absl::StrAppend(&html_, "<li class=\"", css_class, "\"><p>", kind, line.empty() ? "" : ", ",
                    line, "</p><code>", HtmlText(id), "</code><p class=\"text\">", HtmlText(text),
                    "</p></li>\n");
  }

  void AddRemedy(const Remedy& remedy) {
    StartRow(remedy.preferred ? "fix" : "", remedy.preferred ? "fix" : "or");
    absl::StrAppend(&html_, "<div class=\"remedy\">\n",
                    Heading(2, "title", HtmlText(remedy.title)));
    if (!remedy.cost.empty())
      absl::StrAppend(&html_, "<p class=\"cost\"><b>costs</b> ", HtmlProse(remedy.cost), "</p>\n");
    if (!remedy.needs.empty()) {
      const std::string needs =
          absl::StrJoin(remedy.needs, ", ", [](std::string* out, const std::string& need) {
            out->append(HtmlText(NeedInWords(need)));
          });
      absl::StrAppend(&html_, "<p class=\"needs\"><b>needs</b> ", needs, "</p>\n");
    }
    if (!remedy.why.empty())
      absl::StrAppend(&html_, "<p class=\"why\"><b>why</b> ", HtmlProse(remedy.why), "</p>\n");
    for (const Step& step : remedy.steps) {
      if (!step.run.empty()) html_.append(Command(step.run));
      html_.append(Paragraph("note", step.note));
    }
    if (remedy.check.has_value()) {
      absl::StrAppend(&html_, "<div class=\"check\"><p><b>check</b>: this says ",
                      HtmlProse(remedy.check->says), "</p>", Command(remedy.check->run),
                      "</div>\n");
    }
    html_.append("</div>\n");
    EndRow();
  }

  void AddAvoid(const Diagnosis& diagnosis) {
    if (diagnosis.avoid.empty()) return;
    StartRow("", "not");
    html_.append("<ul class=\"avoid\">\n");
    for (const std::string& avoid : diagnosis.avoid)
      absl::StrAppend(&html_, "<li>", HtmlProse(avoid), "</li>\n");
    html_.append("</ul>\n");
    EndRow();
  }

  void AddMore(const Diagnosis& diagnosis) {
    if (diagnosis.explanation.empty() && diagnosis.references.empty()) return;
    StartRow("", "more");
    absl::StrAppend(&html_, "<div class=\"about\">\n", Paragraph("", diagnosis.explanation));
    if (!diagnosis.references.empty()) {
      html_.append("<ul class=\"references\">\n");
      for (const std::string& reference : diagnosis.references)
        absl::StrAppend(&html_, "<li>", HtmlLink(reference), "</li>\n");
      html_.append("</ul>\n");
    }
    html_.append("</div>\n");
    EndRow();
  }

  void StartTable(std::string_view what, size_t count, const std::vector<const char*>& columns) {
    absl::StrAppend(&html_, "<details><summary>", Absl(what), " (", count,
                    ")</summary><div class=\"inside wide\"><table><thead><tr>");
    for (const char* column : columns)
      absl::StrAppend(&html_, "<th scope=\"col\">", column, "</th>");
    html_.append("</tr></thead><tbody>\n");
  }
  void EndTable() { html_.append("</tbody></table></div></details>\n"); }

  void AddFacts() {
    if (report_.facts.empty()) return;
    StartTable("Facts", report_.facts.size(), {"name", "value", "of", "where", "unit"});
    for (const Fact& fact : report_.facts) {
      absl::StrAppend(&html_, "<tr><th scope=\"row\"><code>", HtmlText(fact.name),
                      "</code></th><td><code>", HtmlText(fact.value), "</code></td><td>",
                      Name(fact.origin), "</td><td class=\"number\">",
                      fact.line > 0 ? log_.Link(fact.line, fact.line) : HtmlText(fact.at),
                      "</td><td>", fact.unit > 0 ? absl::StrCat(fact.unit) : "", "</td></tr>\n");
    }
    EndTable();
  }

  void AddUnits() {
    if (report_.units.empty()) return;
    StartTable("Units of work", report_.units.size(), {"unit", "kind", "name", "where", "outcome"});
    for (const Unit& unit : report_.units) {
      absl::StrAppend(&html_, "<tr><th scope=\"row\">", unit.id, "</th><td>", HtmlText(unit.kind),
                      "</td><td>", HtmlText(unit.name), "</td><td class=\"number\">",
                      log_.Link(unit.first_line, unit.last_line), "</td><td>", Name(unit.outcome),
                      "</td></tr>\n");
    }
    EndTable();
  }

  const Report& report_;
  const size_t number_;
  const int level_;
  const HtmlLog log_;
  std::string html_;
};

// The inputs of a page with several, each with its answer.
std::string Contents(std::span<const Report> reports) {
  std::string html = absl::StrCat(
      "<h1>", reports.empty() ? "no log" : absl::StrCat(reports.size(), " logs"), "</h1>\n");
  if (reports.empty()) return html;
  html.append(
      "<div class=\"wide\"><table class=\"summary\"><thead><tr><th scope=\"col\">log</th>"
      "<th scope=\"col\">what happened</th><th scope=\"col\">cause</th></tr></thead><tbody>\n");
  for (size_t i = 0; i < reports.size(); ++i) {
    const Report& report = reports[i];
    absl::StrAppend(&html, "<tr><td><a href=\"#", HtmlId(i + 1), "\">", HtmlText(InputName(report)),
                    "</a></td><td>", HtmlText(Summary(report)), "</td><td>",
                    report.diagnoses.empty() ? "" : HtmlText(report.diagnoses.front().title),
                    "</td></tr>\n");
  }
  html.append("</tbody></table></div>\n");
  return html;
}

std::string Title(std::span<const Report> reports) {
  if (reports.size() != 1) return absl::StrCat(reports.size(), " logs");
  return absl::StrCat(Summary(reports[0]), " (", InputName(reports[0]), ")");
}

// The tools stay hidden until the script that serves them runs.
constexpr char kSearch[] =
    R"(<div class="search" role="search" data-script hidden><label class="hidden" for="find">search the log</label><input id="find" type="search" placeholder="search the log" autocomplete="off" autocapitalize="off" spellcheck="false" aria-keyshortcuts="/"><output id="count" for="find" aria-live="polite"></output><button type="button" id="previous" aria-label="previous match">&uarr;</button><button type="button" id="next" aria-label="next match">&darr;</button></div>
)";
constexpr char kTheme[] =
    R"(<button type="button" id="theme" data-script hidden>theme</button>
)";
constexpr char kKeys[] =
    R"(<p class="keys" data-script hidden>Keys: <kbd>n</kbd> and <kbd>p</kbd>, or <kbd>j</kbd> and <kbd>k</kbd>: next and previous marked line; <kbd>/</kbd>: search, <kbd>Enter</kbd> and <kbd>Shift</kbd> <kbd>Enter</kbd>: next and previous match, <kbd>Esc</kbd>: end the search.</p>
)";

}  // namespace

std::string RenderHtml(std::span<const Report> reports, const RenderOptions&) {
  const bool is_one = reports.size() == 1;
  HtmlLogLimits limits = kLogLimits;
  if (!reports.empty()) {
    limits.lines = std::min(limits.lines, kPageLimits.lines / reports.size());
    limits.bytes = std::min(limits.bytes, kPageLimits.bytes / reports.size());
  }
  std::string main = is_one ? "" : Contents(reports);
  bool shows_log = false;
  for (size_t i = 0; i < reports.size(); ++i) {
    main.append(HtmlReport(reports[i], i + 1, is_one ? 1 : 2, limits).Render());
    shows_log = shows_log || !reports[i].excerpts.empty();
  }
  return absl::StrCat(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src ",
      HtmlHashSource(kHtmlStyle.sha256), "; script-src ", HtmlHashSource(kHtmlScript.sha256),
      "; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<meta name=\"generator\" content=\"cudadoctor ",
      Absl(kVersion), "\">\n<title>", HtmlText(Title(reports)), "</title>\n<style>",
      Absl(kHtmlStyle.text), "</style>\n</head>\n<body>\n",
      "<a class=\"skip\" href=\"#main\">to the diagnosis</a>\n"
      "<header class=\"bar\"><p class=\"brand\">cudadoctor</p>\n",
      shows_log ? kSearch : "", kTheme,
      "</header>\n<p class=\"hidden\" id=\"status\" role=\"status\"></p>\n<main id=\"main\"",
      is_one ? "" : " class=\"several\"", " tabindex=\"-1\">\n", main, "</main>\n<footer>\n",
      shows_log ? kKeys : "", "<p>Written by cudadoctor ", Absl(kVersion),
      "; this page loads nothing and sends nothing.</p>\n</footer>\n<script>",
      Absl(kHtmlScript.text), "</script>\n</body>\n</html>\n");
}

}  // namespace cudadoctor

#include "report/html_log.h"

#include <algorithm>
#include <array>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "report/html_text.h"

namespace cudadoctor {
namespace {

// How far from a mark lines are kept, tried in turn until the limits hold.
constexpr std::array<int, 6> kDistances = {std::numeric_limits<int>::max(), 20, 10, 5, 2, 0};

constexpr double kMapWidth = 1000;

std::string Gap(int64_t first, int64_t last) {
  if (last < first) return "";
  return absl::StrCat("<p class=\"gap\">", HtmlLines(first, last), first == last ? " is" : " are",
                      " left out</p>\n");
}

}  // namespace

std::string HtmlId(size_t report) { return absl::StrCat("r", report); }

std::string HtmlDiagnosisId(size_t report, size_t diagnosis) {
  return absl::StrCat(HtmlId(report), "-d", diagnosis);
}

HtmlLog::HtmlLog(const Report& report, size_t number, const HtmlLogLimits& limits)
    : report_(report), number_(number) {
  AddMarks();
  AddLines(limits);
}

const char* HtmlLog::Name(Kind kind) {
  return kind == Kind::kEvidence ? "evidence" : kind == Kind::kNote ? "note" : "symptom";
}

void HtmlLog::AddMarks() {
  for (const Kind kind : {Kind::kEvidence, Kind::kSymptom, Kind::kNote}) {
    for (size_t i = 0; i < report_.diagnoses.size(); ++i) {
      const Diagnosis& diagnosis = report_.diagnoses[i];
      // A latent cause explains nothing that happened.
      if ((kind == Kind::kNote) != (diagnosis.role == Role::kLatent)) continue;
      if (kind == Kind::kSymptom) {
        for (const Symptom& symptom : diagnosis.symptoms)
          marks_.push_back({symptom.line, symptom.line, kind, i + 1});
      } else {
        for (const Evidence& evidence : diagnosis.evidence)
          marks_.push_back(
              {evidence.line, std::max(evidence.line, evidence.last_line), kind, i + 1});
      }
    }
  }
}

void HtmlLog::AddLines(const HtmlLogLimits& limits) {
  std::vector<Line> all;
  for (const Excerpt& excerpt : report_.excerpts) {
    int64_t number = excerpt.first_line;
    for (const std::string& text : excerpt.lines) {
      Line line = {number, &text, std::numeric_limits<int64_t>::max()};
      for (const Mark& mark : marks_) {
        const int64_t away =
            std::max<int64_t>({mark.first_line - number, number - mark.last_line, 0});
        line.distance = std::min(line.distance, away);
      }
      all.push_back(line);
      ++number;
    }
  }
  for (const int distance : kDistances) {
    lines_.clear();
    size_t bytes = 0;
    bool fits = true;
    for (const Line& line : all) {
      if (line.distance > distance) continue;
      bytes += line.text->size();
      fits = lines_.size() < limits.lines && bytes <= limits.bytes;
      if (!fits) break;
      lines_.push_back(line);
    }
    if (fits) return;
  }
}

const HtmlLog::Mark* HtmlLog::MarkAt(int64_t line) const {
  const auto found = std::find_if(marks_.begin(), marks_.end(), [line](const Mark& mark) {
    return mark.first_line <= line && line <= mark.last_line;
  });
  return found == marks_.end() ? nullptr : &*found;
}

std::string HtmlLog::LineId(int64_t line) const {
  return absl::StrCat(HtmlId(number_), "-L", line);
}

std::string HtmlLog::Link(int64_t first_line, int64_t last_line) const {
  const std::string text = HtmlLines(first_line, last_line);
  const bool is_shown =
      std::binary_search(lines_.begin(), lines_.end(), Line{first_line},
                         [](const Line& a, const Line& b) { return a.number < b.number; });
  return is_shown ? absl::StrCat("<a href=\"#", LineId(first_line), "\">", text, "</a>") : text;
}

std::string HtmlLog::Lines() const {
  std::string html = "<div class=\"log\">\n";
  int next = 1;
  bool is_open = false;
  for (const Line& line : lines_) {
    if (line.number != next || !is_open) {
      absl::StrAppend(&html, is_open ? "</pre>\n" : "", Gap(next, line.number - 1), "<pre>");
      is_open = true;
    }
    const Mark* mark = MarkAt(line.number);
    const std::string id = LineId(line.number);
    absl::StrAppend(&html, "<span id=\"", id, "\"");
    if (mark != nullptr) absl::StrAppend(&html, " class=\"is-", Name(mark->kind), "\"");
    // With the tab key one goes from mark to mark, not through every line.
    absl::StrAppend(&html, "><a href=\"#", id, "\"", mark == nullptr ? " tabindex=\"-1\"" : "", ">",
                    line.number, "</a>", HtmlText(*line.text));
    if (mark != nullptr && mark->first_line == line.number) {
      absl::StrAppend(&html, "<a class=\"tag\" href=\"#", HtmlDiagnosisId(number_, mark->diagnosis),
                      "\">", Name(mark->kind), "</a>");
    }
    html.append("\n</span>");
    next = line.number + 1;
  }
  absl::StrAppend(&html, is_open ? "</pre>\n" : "", Gap(next, report_.input.lines), "</div>\n");
  return html;
}

std::string HtmlLog::Map() const {
  if (marks_.empty() || report_.input.lines <= 0) return "";
  const auto total = static_cast<double>(report_.input.lines);
  const auto x = [total](int64_t line) { return kMapWidth * (line - 1) / total; };
  std::string shapes;
  for (size_t i = 0, first = 0; i < lines_.size(); ++i) {
    if (i + 1 < lines_.size() && lines_[i + 1].number == lines_[i].number + 1) continue;
    const double left = x(lines_[first].number);
    absl::StrAppend(&shapes, absl::StrFormat("<rect class=\"is-shown\" x=\"%.1f\" y=\"0\" "
                                             "width=\"%.1f\" height=\"20\"/>",
                                             left, x(lines_[i].number + 1) - left));
    first = i + 1;
  }
  std::string label = absl::StrCat("the log of ", HtmlNumber(report_.input.lines), " lines");
  std::string key;
  const Mark* previous = nullptr;
  for (const Mark& mark : marks_) {
    const double middle = x(mark.first_line) + 0.5 * kMapWidth / total;
    absl::StrAppend(&shapes,
                    absl::StrFormat("<line class=\"is-%s\" x1=\"%.1f\" x2=\"%.1f\" y1=\"0\" "
                                    "y2=\"20\"/>",
                                    Name(mark.kind), middle, middle));
    if (previous == nullptr || previous->kind != mark.kind) {
      absl::StrAppend(&label, "; ", Name(mark.kind), " at line ");
      absl::StrAppend(&key, "<span class=\"key is-", Name(mark.kind), "\">", Name(mark.kind),
                      "</span>");
    } else {
      label.append(", ");
    }
    label.append(HtmlNumber(mark.first_line));
    previous = &mark;
  }
  return absl::StrCat(
      "<figure class=\"map\"><svg viewBox=\"0 0 1000 20\" preserveAspectRatio=\"none\" "
      "role=\"img\" aria-label=\"",
      label, "\"><rect x=\"0\" y=\"0\" width=\"1000\" height=\"20\"/>", shapes,
      "</svg><figcaption>", key, "<span>the whole log, ",
      report_.input.lines == 1 ? "1 line" : HtmlNumber(report_.input.lines) + " lines",
      "</span></figcaption></figure>\n");
}

}  // namespace cudadoctor

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/views.h"
#include "report/names.h"
#include "report/quote.h"
#include "report/renderer.h"

namespace cudadoctor {
namespace {

constexpr size_t kLabelWidth = 8;
// One screen: what is left out stands in the JSON report and in `cudadoctor explain`.
constexpr size_t kMaxEvidence = 3;
constexpr size_t kMaxRemedies = 2;
constexpr size_t kMaxAvoid = 3;
constexpr size_t kShortestText = 20;

struct Style {
  std::string_view headline, cause, command, dim, reset;
};

constexpr Style kPlain = {"", "", "", "", ""};
constexpr Style kColored = {"\x1b[1m", "\x1b[1;31m", "\x1b[36m", "\x1b[2m", "\x1b[0m"};

// Words of `text` in lines of at most `columns`; its own line ends are kept.
std::vector<std::string> Wrap(std::string_view text, size_t columns) {
  std::vector<std::string> lines;
  for (const absl::string_view paragraph : absl::StrSplit(Absl(text), '\n')) {
    std::string line;
    for (const absl::string_view word : absl::StrSplit(paragraph, ' ')) {
      if (!line.empty() && Columns(line) + 1 + Columns(Std(word)) > columns) {
        lines.push_back(line);
        line.clear();
      }
      absl::StrAppend(&line, line.empty() ? "" : " ", word);
    }
    lines.push_back(line);
  }
  return lines;
}

class TextReport {
 public:
  TextReport(const Report& report, const RenderOptions& options)
      : report_(report),
        style_(options.color ? kColored : kPlain),
        width_(static_cast<size_t>(std::max(options.width, 40))) {}

  std::string Render() {
    if (report_.diagnoses.empty()) return absl::StrCat(NoDiagnosis(report_), "\n");
    const bool has_root = report_.diagnoses.front().role == Role::kRoot;
    for (const Diagnosis& diagnosis : report_.diagnoses) {
      if (!text_.empty()) text_.append("\n");
      if (has_root && diagnosis.role != Role::kRoot) {
        AddAside(diagnosis);
      } else {
        Add(diagnosis);
      }
    }
    return std::move(text_);
  }

 private:
  void Add(const Diagnosis& diagnosis) {
    absl::StrAppend(&text_, Absl(style_.headline), Headline(report_, diagnosis), Absl(style_.reset),
                    "\n\n");
    const std::string verdict =
        diagnosis.cause == "unknown"
            ? "unknown"
            : absl::StrCat(diagnosis.cause, ", ", Name(diagnosis.confidence));
    AddCause(diagnosis.role == Role::kLatent ? "note" : "cause", diagnosis.title, verdict);
    for (size_t i = 0; i < diagnosis.evidence.size() && i < kMaxEvidence; ++i)
      AddEvidence(diagnosis.evidence[i]);
    if (std::find(report_.input.limits.begin(), report_.input.limits.end(), "clipped-upstream") !=
        report_.input.limits.end()) {
      AddText("", "this log was cut before it got here; the full log may show another cause");
    }
    for (size_t i = 0; i < diagnosis.remedies.size() && i < kMaxRemedies; ++i)
      AddRemedy(diagnosis.remedies[i]);
    if (!diagnosis.avoid.empty() || diagnosis.cause != "unknown") text_.append("\n");
    const char* label = "not";
    for (size_t i = 0; i < diagnosis.avoid.size() && i < kMaxAvoid; ++i) {
      AddText(label, diagnosis.avoid[i]);
      label = "";
    }
    if (diagnosis.cause != "unknown")
      AddText("more", absl::StrCat("cudadoctor explain ", diagnosis.cause));
  }

  // Beside a root, what is no root takes a line or two.
  void AddAside(const Diagnosis& diagnosis) {
    AddCause("besides", diagnosis.title,
             absl::StrCat(diagnosis.cause, ", ", Name(diagnosis.confidence)));
    if (!diagnosis.evidence.empty()) AddEvidence(diagnosis.evidence.front());
  }

  // The verdict stands at the right edge where there is room.
  void AddCause(std::string_view label, const std::string& title, const std::string& verdict) {
    const std::vector<std::string> lines = Wrap(title, width_ - kLabelWidth);
    for (size_t i = 0; i < lines.size(); ++i) {
      StartLine(i == 0 ? label : "");
      absl::StrAppend(&text_, Absl(style_.cause), lines[i], Absl(style_.reset));
      const bool is_last = i + 1 == lines.size();
      const size_t used = kLabelWidth + Columns(lines[i]);
      if (is_last && used + 2 + verdict.size() <= width_) {
        absl::StrAppend(&text_, std::string(width_ - used - verdict.size(), ' '), Absl(style_.dim),
                        verdict, Absl(style_.reset));
      } else if (is_last) {
        absl::StrAppend(&text_, "\n", std::string(kLabelWidth, ' '), Absl(style_.dim), verdict,
                        Absl(style_.reset));
      }
      text_.append("\n");
    }
  }

  void AddEvidence(const Evidence& evidence) {
    const std::string number =
        absl::StrFormat("%*d | ", static_cast<int>(kLabelWidth) - 1 + 4, evidence.line);
    const size_t room =
        width_ > number.size() + kShortestText ? width_ - number.size() : kShortestText;
    absl::StrAppend(&text_, Absl(style_.dim), number, Absl(style_.reset), Quote(evidence, room),
                    "\n");
  }

  void AddRemedy(const Remedy& remedy) {
    text_.append("\n");
    std::string title = remedy.title;
    if (!remedy.cost.empty()) absl::StrAppend(&title, "; costs ", remedy.cost);
    AddText(remedy.preferred ? "fix" : "or", title);
    for (const Step& step : remedy.steps) {
      if (!step.run.empty()) AddCommand(step.run);
      if (!step.note.empty()) AddText("", step.note);
    }
    if (remedy.check.has_value())
      AddText("", absl::StrCat("check: ", remedy.check->run, " says ", remedy.check->says));
  }

  // Commands are never cut; an environment in front of a long one takes a line of its own.
  void AddCommand(const std::string& command) {
    const std::string indent(kLabelWidth + 2, ' ');
    absl::StrAppend(&text_, indent, Absl(style_.command));
    const size_t start = EnvironmentEnd(command);
    if (start > 0 && indent.size() + Columns(command) > width_) {
      absl::StrAppend(&text_, command.substr(0, start - 1), " \\\n", indent, "  ",
                      command.substr(start));
    } else {
      text_.append(command);
    }
    absl::StrAppend(&text_, Absl(style_.reset), "\n");
  }

  // Where the command begins behind NAME=value assignments, or 0.
  static size_t EnvironmentEnd(const std::string& command) {
    size_t start = 0;
    while (start < command.size()) {
      const size_t equals = command.find_first_not_of(
          "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_", start);
      if (equals == std::string::npos || command[equals] != '=' || equals == start) break;
      size_t end = equals;
      for (char quote = 0; end < command.size() && (quote != 0 || command[end] != ' '); ++end) {
        if (command[end] == quote) {
          quote = 0;
        } else if (quote == 0 && (command[end] == '\'' || command[end] == '"')) {
          quote = command[end];
        }
      }
      if (end == command.size()) return 0;
      start = end + 1;
    }
    return start;
  }

  void AddText(std::string_view label, const std::string& text) {
    bool is_first = true;
    for (const std::string& line : Wrap(text, width_ - kLabelWidth)) {
      StartLine(is_first ? label : "");
      absl::StrAppend(&text_, line, "\n");
      is_first = false;
    }
  }

  void StartLine(std::string_view label) {
    absl::StrAppend(&text_, Absl(style_.dim), Absl(label), Absl(style_.reset),
                    std::string(kLabelWidth - label.size(), ' '));
  }

  const Report& report_;
  const Style& style_;
  const size_t width_;
  std::string text_;
};

}  // namespace

std::string RenderText(std::span<const Report> reports, const RenderOptions& options) {
  std::string text;
  for (const Report& report : reports) {
    if (!text.empty()) text.append("\n");
    if (options.names_input) absl::StrAppend(&text, OneLine(report.input.name), ": ");
    text.append(TextReport(report, options).Render());
  }
  return text;
}

}  // namespace cudadoctor

#include "report/text_layout.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "base/views.h"
#include "model/assignments.h"
#include "report/names.h"
#include "report/quote.h"

namespace cudadoctor {
namespace {

constexpr size_t kLabelWidth = 8;
constexpr size_t kShortestText = 20;

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

}  // namespace

TextLayout::TextLayout(const RenderOptions& options)
    : style_(options.color ? Style{"\x1b[1m", "\x1b[1;31m", "\x1b[36m", "\x1b[2m", "\x1b[0m"}
                           : Style{}),
      width_(static_cast<size_t>(std::max(options.width, 40))) {}

void TextLayout::AddHeadline(const std::string& text) {
  absl::StrAppend(&text_, Absl(style_.headline), text, Absl(style_.reset), "\n\n");
}

void TextLayout::AddCause(std::string_view label, const std::string& title,
                          const std::string& verdict) {
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

void TextLayout::AddEvidence(const Evidence& evidence) {
  const std::string number =
      evidence.line == 0
          ? std::string(kLabelWidth + 2, ' ')
          : absl::StrFormat("%*d | ", static_cast<int>(kLabelWidth) - 1 + 4, evidence.line);
  const size_t room =
      width_ > number.size() + kShortestText ? width_ - number.size() : kShortestText;
  absl::StrAppend(&text_, Absl(style_.dim), number, Absl(style_.reset), Quote(evidence, room),
                  "\n");
}

void TextLayout::AddRemedy(const Remedy& remedy) {
  text_.append("\n");
  AddText(remedy.preferred ? "fix" : "or", TitleWithCost(remedy));
  for (const Step& step : remedy.steps) {
    if (!step.run.empty()) AddCommand(step.run);
    if (!step.note.empty()) AddText("", step.note);
  }
  if (remedy.check.has_value())
    AddText("", absl::StrCat("check: ", remedy.check->run, " says ", remedy.check->says));
}

void TextLayout::AddCommand(const std::string& command) {
  const std::string indent(kLabelWidth + 2, ' ');
  absl::StrAppend(&text_, indent, Absl(style_.command));
  const size_t start = AssignmentsEnd(command);
  if (start > 0 && indent.size() + Columns(command) > width_) {
    absl::StrAppend(&text_, command.substr(0, start - 1), " \\\n", indent, "  ",
                    command.substr(start));
  } else {
    text_.append(command);
  }
  absl::StrAppend(&text_, Absl(style_.reset), "\n");
}

void TextLayout::AddText(std::string_view label, const std::string& text) {
  bool is_first = true;
  for (const std::string& line : Wrap(text, width_ - kLabelWidth)) {
    StartLine(is_first ? label : "");
    absl::StrAppend(&text_, line, "\n");
    is_first = false;
  }
}

void TextLayout::StartLine(std::string_view label) {
  absl::StrAppend(&text_, Absl(style_.dim), Absl(label), Absl(style_.reset),
                  std::string(kLabelWidth - label.size(), ' '));
}

}  // namespace cudadoctor

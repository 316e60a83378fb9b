#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "base/views.h"
#include "report/ci_log.h"
#include "report/names.h"
#include "report/place.h"
#include "report/quote.h"
#include "report/renderer.h"

namespace cudadoctor {
namespace {

// The runner keeps 10 annotations of a kind in a step and 4096 UTF-16 units of a message (actions/
// runner, Runner.Worker/ExecutionContext.cs); a title has at most 255 characters (docs.github.com,
// "REST API endpoints for check runs"). A byte of UTF-8 is at most one unit.
constexpr size_t kMaxAnnotations = 10;
constexpr size_t kMaxMessageBytes = 4000;
constexpr size_t kMaxTitle = 255;

constexpr size_t kMaxEvidence = 2;
constexpr size_t kQuoteColumns = 200;

// As actions/toolkit writes commands and Runner.Common/ActionCommand.cs reads them.
std::string EscapeData(std::string_view text) {
  return absl::StrReplaceAll(Absl(text), {{"%", "%25"}, {"\r", "%0D"}, {"\n", "%0A"}});
}

std::string EscapeProperty(std::string_view text) {
  return absl::StrReplaceAll(
      Absl(text), {{"%", "%25"}, {"\r", "%0D"}, {"\n", "%0A"}, {":", "%3A"}, {",", "%2C"}});
}

// Whole lines of `text` as far as they fit.
std::string CutLines(const std::string& text, size_t bytes) {
  if (text.size() <= bytes) return text;
  constexpr std::string_view kMore = "\n…";
  const size_t end = text.rfind('\n', bytes - kMore.size());
  return absl::StrCat(Absl(end == std::string::npos ? Prefix(text, bytes - kMore.size())
                                                    : std::string_view(text).substr(0, end)),
                      Absl(kMore));
}

// The log shows the message without its title, so that it says all.
std::string MessageOf(const Mark& mark, bool names_input) {
  const Diagnosis& diagnosis = *mark.diagnosis;
  std::string text = TitleWithCause(diagnosis);
  for (size_t i = 0; i < diagnosis.evidence.size() && i < kMaxEvidence; ++i) {
    absl::StrAppend(&text, "\n");
    if (names_input) absl::StrAppend(&text, OneLine(mark.report->input.name), ", ");
    absl::StrAppend(&text, "line ", diagnosis.evidence[i].line, ": ",
                    Quote(diagnosis.evidence[i], kQuoteColumns));
  }
  for (const Remedy& remedy : diagnosis.remedies) {
    const bool is_first = &remedy == &diagnosis.remedies.front();
    absl::StrAppend(&text, is_first ? "\nfix: " : "\nor: ", TitleWithCost(remedy));
    if (!is_first) continue;
    for (const Step& step : remedy.steps) {
      if (!step.run.empty()) absl::StrAppend(&text, "\n  ", step.run);
      if (!step.note.empty()) absl::StrAppend(&text, "\n", OneLine(step.note));
    }
    if (remedy.check.has_value())
      absl::StrAppend(&text, "\ncheck: ", remedy.check->run, " says ", remedy.check->says);
  }
  if (diagnosis.cause != "unknown")
    absl::StrAppend(&text, "\nmore: cudadoctor explain ", diagnosis.cause);
  return CutLines(PartNumberSigns(text), kMaxMessageBytes);
}

std::string Annotation(const Mark& mark, const RenderOptions& options) {
  std::string command = mark.diagnosis->role == Role::kLatent ? "::notice " : "::error ";
  if (const std::optional<SourceLocation> place = SourceInTree(*mark.diagnosis)) {
    absl::StrAppend(&command, "file=", EscapeProperty(place->file), ",line=", place->line, ",");
    if (place->column > 0) absl::StrAppend(&command, "col=", place->column, ",");
  }
  const std::string title =
      PartNumberSigns(Cut(OneLine(Heading(*mark.report, *mark.diagnosis)), kMaxTitle));
  return absl::StrCat(command, "title=", EscapeProperty(title),
                      "::", EscapeData(MessageOf(mark, options.names_input)), "\n");
}

}  // namespace

std::string RenderGithub(std::span<const Report> reports, const RenderOptions& options) {
  const std::vector<Mark> marks = Marks(reports);
  const size_t shown = std::min(marks.size(), kMaxAnnotations);
  std::string text;
  for (size_t i = 0; i < shown; ++i) text += Annotation(marks[i], options);
  if (shown < marks.size()) {
    absl::StrAppend(&text, "cudadoctor: ", marks.size() - shown,
                    " more in the summary of this step\n");
  }
  return text;
}

}  // namespace cudadoctor

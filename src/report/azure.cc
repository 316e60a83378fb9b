#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/views.h"
#include "report/ci_log.h"
#include "report/names.h"
#include "report/place.h"
#include "report/quote.h"
#include "report/renderer.h"

namespace cudadoctor {
namespace {

// The agent keeps 10 issues of a kind in a step (azure-pipelines-agent, Agent.Worker/
// ExecutionContext.cs).
constexpr size_t kMaxIssues = 10;

// As the agent's Agent.Sdk/CommandStringConvertor.cs reads properties and data.
std::string Escape(std::string_view text) {
  return absl::StrReplaceAll(
      Absl(text), {{"%", "%AZP25"}, {";", "%3B"}, {"\r", "%0D"}, {"\n", "%0A"}, {"]", "%5D"}});
}

// Azure has no milder kind than a warning for what did not fail.
std::string Issue(const Mark& mark) {
  const Diagnosis& diagnosis = *mark.diagnosis;
  std::string command = absl::StrCat(
      "##vso[task.logissue type=", diagnosis.role == Role::kLatent ? "warning" : "error", ";");
  if (const std::optional<SourceLocation> place = SourceInTree(diagnosis)) {
    absl::StrAppend(&command, "sourcepath=", Escape(PartNumberSigns(place->file)),
                    ";linenumber=", place->line, ";columnnumber=", std::max(place->column, 1), ";");
  }
  std::string message = TitleWithCause(diagnosis);
  if (!diagnosis.remedies.empty())
    absl::StrAppend(&message, "; fix: ", TitleWithCost(diagnosis.remedies.front()));
  return absl::StrCat(command, "code=", Escape(diagnosis.cause), "]",
                      Escape(PartNumberSigns(message)), "\n");
}

// A variable's value is put in wherever a later step says $(step.name), macros in it included.
std::string Output(std::string_view name, std::string_view value) {
  const std::string inert = absl::StrReplaceAll(PartNumberSigns(OneLine(value)), {{"$(", "$ ("}});
  return absl::StrCat("##vso[task.setvariable variable=", Absl(name), ";isOutput=true]",
                      Escape(inert), "\n");
}

}  // namespace

std::string RenderAzure(std::span<const Report> reports, const RenderOptions& options) {
  const std::vector<Mark> marks = Marks(reports);
  if (marks.empty()) return "";
  std::string text;
  for (size_t i = 0; i < marks.size() && i < kMaxIssues; ++i) text += Issue(marks[i]);
  absl::StrAppend(&text, "##[group]cudadoctor: ", PartNumberSigns(Header(reports)), "\n",
                  PartNumberSigns(TextOfMarks(reports, options)), "##[endgroup]\n");
  if (const std::optional<Mark> failure = FirstFailure(reports)) {
    text += Output("cause", failure->diagnosis->cause);
    text += Output("title", failure->diagnosis->title);
    text += Output("retry", failure->diagnosis->retry);
  }
  return text;
}

}  // namespace cudadoctor

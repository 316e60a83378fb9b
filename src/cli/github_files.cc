#include "cli/github_files.h"

#include <algorithm>
#include <random>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "base/views.h"
#include "cli/input.h"
#include "report/ci_log.h"
#include "report/markdown.h"
#include "report/quote.h"

namespace cudadoctor {
namespace {

// The runner refuses a step's summary that is longer, whole (actions/runner, Runner.Worker/
// FileCommandManager.cs).
constexpr size_t kMaxSummaryBytes = 1 << 20;

// What no text of a log can know beforehand: 128 random bits.
std::string Delimiter() {
  std::random_device random;
  std::string text = "cudadoctor_";
  for (int i = 0; i < 4; ++i) absl::StrAppend(&text, absl::Hex(random(), absl::kZeroPad8));
  return text;
}

std::string Output(std::string_view name, std::string_view value) {
  const std::string delimiter = Delimiter();
  return absl::StrCat(Absl(name), "<<", delimiter, "\n", OneLine(value), "\n", delimiter, "\n");
}

}  // namespace

std::vector<absl::Status> WriteGithubFiles(std::span<const Report> reports, bool names_input,
                                           const Environment& environment) {
  std::vector<absl::Status> errors;
  const std::optional<Mark> failure = FirstFailure(reports);
  if (!failure.has_value()) return errors;
  const auto append = [&](std::string_view variable,
                          const std::function<std::string(size_t)>& content) {
    const std::optional<std::string> path = environment(variable);
    if (!path.has_value() || path->empty()) return;
    if (absl::Status status = AppendToFile(*path, content); !status.ok())
      errors.push_back(std::move(status));
  };
  append("GITHUB_STEP_SUMMARY", [&](size_t size) {
    // One byte for the newline that ends what is there.
    const size_t room = kMaxSummaryBytes - std::min(kMaxSummaryBytes, size + 1);
    const std::string sections = MarkdownSections(reports, {names_input, room});
    return sections.size() <= room ? sections : "";
  });
  append("GITHUB_OUTPUT", [&](size_t) {
    return absl::StrCat(Output("cause", failure->diagnosis->cause),
                        Output("title", failure->diagnosis->title),
                        Output("retry", failure->diagnosis->retry));
  });
  return errors;
}

}  // namespace cudadoctor

#include <array>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/views.h"
#include "report/ci_log.h"
#include "report/markdown.h"
#include "report/renderer.h"

namespace cudadoctor {
namespace {

// The most that `buildkite-agent annotate` takes (buildkite.com/docs, "Annotations": 1 MiB).
constexpr size_t kMaxAnnotationBytes = 1 << 20;

// `text` without lines that open or close a group of the log (buildkite.com/docs, "Managing log
// output").
std::string WithoutGroups(std::string_view text) {
  constexpr std::array<std::string_view, 4> kGroups = {"---", "+++", "~~~", "^^^"};
  std::string result;
  for (const absl::string_view split : absl::StrSplit(Absl(text), '\n')) {
    std::string line(split);
    if (const size_t start = line.find_first_not_of(' '); start != std::string::npos) {
      for (const std::string_view group : kGroups) {
        if (std::string_view(line).substr(start).starts_with(group)) line.insert(start + 1, " ");
      }
    }
    absl::StrAppend(&result, result.empty() ? "" : "\n", line);
  }
  return result;
}

}  // namespace

std::string RenderBuildkite(std::span<const Report> reports, const RenderOptions& options) {
  if (!options.follows_log) {
    return MarkdownSections(reports, {options.names_input, kMaxAnnotationBytes});
  }
  const std::string header = Header(reports);
  if (header.empty()) return "";
  return absl::StrCat("+++ cudadoctor: ", header, "\n",
                      WithoutGroups(TextOfMarks(reports, options)));
}

}  // namespace cudadoctor

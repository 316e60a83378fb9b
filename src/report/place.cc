#include "report/place.h"

#include <algorithm>
#include <array>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "base/views.h"

namespace cudadoctor {
namespace {

bool IsAbsolute(std::string_view path) {
  return path.starts_with('/') || (path.size() > 2 && path[1] == ':' && path[2] == '/');
}

// `path` relative to the tree, or nothing when it does not lie in it.
std::optional<std::string> InTree(std::string path, std::string_view folder) {
  std::replace(path.begin(), path.end(), '\\', '/');
  std::string tree(folder);
  std::replace(tree.begin(), tree.end(), '\\', '/');
  while (tree.ends_with('/')) tree.pop_back();
  if (IsAbsolute(path)) {
    if (tree.empty() || !absl::StartsWith(path, tree + "/")) return std::nullopt;
    path = path.substr(tree.size() + 1);
  }
  while (path.starts_with("./")) path = path.substr(2);
  constexpr std::array<std::string_view, 4> kInstalled = {"..", "site-packages", "dist-packages",
                                                          "~"};
  for (const absl::string_view part : absl::StrSplit(path, '/')) {
    if (std::find(kInstalled.begin(), kInstalled.end(), Std(part)) != kInstalled.end())
      return std::nullopt;
  }
  return path.empty() ? std::nullopt : std::optional(path);
}

}  // namespace

std::optional<SourceLocation> SourceInTree(const Diagnosis& diagnosis, std::string_view folder) {
  for (const Evidence& evidence : diagnosis.evidence) {
    if (!evidence.source.has_value()) continue;
    if (std::optional<std::string> file = InTree(evidence.source->file, folder))
      return SourceLocation{*std::move(file), evidence.source->line, evidence.source->column};
  }
  return std::nullopt;
}

SourceLocation PlaceInLog(const Report& report, const Diagnosis& diagnosis) {
  SourceLocation place{report.input.name == "-" ? "<stdin>" : report.input.name, 1, 1};
  if (!diagnosis.evidence.empty()) {
    place.line = diagnosis.evidence.front().line;
    place.column = std::max(diagnosis.evidence.front().column, 1);
  }
  return place;
}

}  // namespace cudadoctor

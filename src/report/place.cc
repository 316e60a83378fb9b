#include "report/place.h"

#include <algorithm>
#include <array>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/views.h"

namespace cudadoctor {
namespace {

bool IsAbsolute(std::string_view path) {
  return path.starts_with('/') || path.starts_with("~/") ||
         (path.size() > 2 && path[1] == ':' && path[2] == '/');
}

// `path` relative to the tree, or nothing when it does not lie in it.
std::optional<std::string> InTree(std::string path, std::string_view folder) {
  std::replace(path.begin(), path.end(), '\\', '/');
  std::string tree(folder);
  std::replace(tree.begin(), tree.end(), '\\', '/');
  path = RelativeTo(tree, std::move(path));
  if (IsAbsolute(path)) return std::nullopt;
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

std::string RelativeTo(std::string_view folder, std::string path) {
  while (folder.ends_with('/')) folder.remove_suffix(1);
  if (!folder.empty() && absl::StartsWith(path, absl::StrCat(Absl(folder), "/")))
    path = path.substr(folder.size() + 1);
  while (path.starts_with("./")) path = path.substr(2);
  return path;
}

SourceLocation PlaceOf(const Report& report, const Diagnosis& diagnosis, std::string_view folder) {
  if (std::optional<SourceLocation> source = SourceInTree(diagnosis, folder);
      source.has_value() && source->line > 0) {
    source->column = std::max(source->column, 1);
    return *std::move(source);
  }
  SourceLocation place = PlaceInLog(report, diagnosis);
  place.file = RelativeTo(folder, std::move(place.file));
  return place;
}

}  // namespace cudadoctor

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
  return path.starts_with('/') || (path.size() > 2 && path[1] == ':' && path[2] == '/');
}

std::string WithSlashes(std::string_view path) {
  std::string slashed(path);
  std::replace(slashed.begin(), slashed.end(), '\\', '/');
  return slashed;
}

// `path` relative to the tree, or an empty string when it does not lie in it.
std::string InTree(std::string_view path, std::string_view folder) {
  std::string in_tree = WithSlashes(path);
  std::string tree = WithSlashes(folder);
  while (tree.ends_with('/')) tree.pop_back();
  if (!tree.empty() && absl::StartsWith(in_tree, tree + "/"))
    in_tree = in_tree.substr(tree.size() + 1);
  while (in_tree.starts_with("./")) in_tree = in_tree.substr(2);
  const std::vector<absl::string_view> parts = absl::StrSplit(in_tree, '/');
  const bool leaves_it = std::find(parts.begin(), parts.end(), "..") != parts.end();
  return IsAbsolute(in_tree) || leaves_it ? "" : in_tree;
}

bool IsInstalled(std::string_view path) {
  return absl::StrContains(Absl(path), "site-packages/") ||
         absl::StrContains(Absl(path), "dist-packages/");
}

}  // namespace

void PlaceInTree(std::string_view folder, const HasFile& has_file, Report& report) {
  if (report.input.name != "-") report.input.path_in_tree = InTree(report.input.name, folder);
  for (Diagnosis& diagnosis : report.diagnoses) {
    for (Evidence& evidence : diagnosis.evidence) {
      if (!evidence.source.has_value() || evidence.source->line < 1) continue;
      std::string path = InTree(evidence.source->file, folder);
      if (path.empty() || IsInstalled(path) || !has_file(path)) continue;
      evidence.source->file = std::move(path);
      evidence.source->is_in_tree = true;
    }
  }
}

std::optional<SourceLocation> SourceInTree(const Diagnosis& diagnosis) {
  for (const Evidence& evidence : diagnosis.evidence) {
    if (evidence.source.has_value() && evidence.source->is_in_tree) return evidence.source;
  }
  return std::nullopt;
}

std::string NameOfLog(const Report& report) {
  if (report.input.name == "-") return "<stdin>";
  return report.input.path_in_tree.empty() ? report.input.name : report.input.path_in_tree;
}

SourceLocation PlaceInLog(const Report& report, const Diagnosis& diagnosis) {
  SourceLocation place{NameOfLog(report), 1, 1};
  if (!diagnosis.evidence.empty()) {
    place.line = diagnosis.evidence.front().line;
    place.column = std::max(diagnosis.evidence.front().column, 1);
  }
  return place;
}

SourceLocation PlaceOf(const Report& report, const Diagnosis& diagnosis) {
  if (std::optional<SourceLocation> source = SourceInTree(diagnosis)) {
    source->column = std::max(source->column, 1);
    return *std::move(source);
  }
  return PlaceInLog(report, diagnosis);
}

}  // namespace cudadoctor

// report/place.h: where a diagnosis is pinned.
#ifndef CUDADOCTOR_REPORT_PLACE_H_
#define CUDADOCTOR_REPORT_PLACE_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "model/report.h"

namespace cudadoctor {

// Whether the working tree has a file of this path, relative to it.
using HasFile = std::function<bool(const std::string& path)>;

// Finds out which files that `report` names lie in the working tree `folder` (absolute; empty:
// unknown), for the functions below: of the sources in its evidence those that the tree has, but
// for installed packages, and the log itself.
void PlaceInTree(std::string_view folder, const HasFile& has_file, Report& report);

// The first source of the working tree that the evidence names.
std::optional<SourceLocation> SourceInTree(const Diagnosis& diagnosis);

// The log's path in the tree, or else its name; "<stdin>" for a pipe.
std::string NameOfLog(const Report& report);

// The deciding line of the log itself, in NameOfLog; line and column are 1 for a diagnosis without
// evidence.
SourceLocation PlaceInLog(const Report& report, const Diagnosis& diagnosis);

// For formats with one place: SourceInTree, otherwise PlaceInLog. Line and column are at least 1.
SourceLocation PlaceOf(const Report& report, const Diagnosis& diagnosis);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REPORT_PLACE_H_

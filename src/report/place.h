// report/place.h: where a diagnosis is pinned.
#ifndef CUDADOCTOR_REPORT_PLACE_H_
#define CUDADOCTOR_REPORT_PLACE_H_

#include <optional>
#include <string>
#include <string_view>

#include "model/report.h"

namespace cudadoctor {

// A source file of the working tree `folder` (absolute; empty: unknown) that the evidence names:
// the first one whose path is relative without leaving the tree, or lies below `folder`. Its `file`
// is relative to the tree, with '/'. Nothing for files of installed packages and of build folders
// elsewhere.
std::optional<SourceLocation> SourceInTree(const Diagnosis& diagnosis, std::string_view folder);

// The deciding line of the log itself. `file` is the input's name, "<stdin>" for a pipe; line and
// column are 1 for a diagnosis without evidence.
SourceLocation PlaceInLog(const Report& report, const Diagnosis& diagnosis);

// `path` without "./", and relative to `folder` where it lies below it.
std::string RelativeTo(std::string_view folder, std::string path);

// For formats with one place: SourceInTree where its line is known, otherwise PlaceInLog, its file
// relative to `folder`. Line and column are at least 1.
SourceLocation PlaceOf(const Report& report, const Diagnosis& diagnosis, std::string_view folder);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REPORT_PLACE_H_

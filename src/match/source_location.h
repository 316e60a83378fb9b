// match/source_location.h: the source file that a message names.
#ifndef CUDADOCTOR_MATCH_SOURCE_LOCATION_H_
#define CUDADOCTOR_MATCH_SOURCE_LOCATION_H_

#include <optional>
#include <string_view>

#include "model/report.h"

namespace cudadoctor {

// The first place that `text` names in the way of gcc and clang (a.cu:12:5: error), nvcc and MSVC
// (a.cu(12): error, a.cu(12,5)), EDG ("a.cu", line 12), Python (File "a.py", line 12) or CMake
// (CMake Error at CMakeLists.txt:12 (find_package)).
std::optional<SourceLocation> FindSourceLocation(std::string_view text);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_MATCH_SOURCE_LOCATION_H_

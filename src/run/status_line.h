// run/status_line.h: one line that says how far a build is.
#ifndef CUDADOCTOR_RUN_STATUS_LINE_H_
#define CUDADOCTOR_RUN_STATUS_LINE_H_

#include <chrono>
#include <string>

#include "run/build_watch.h"

namespace cudadoctor {

// "cudadoctor: 37 of 85 objects, 4 compilers 11.2 GiB, 12 min, about 16 min left": ASCII, fewer
// than `width` columns, without a line end. `elapsed` is the time since the command began. What is
// a floor says "at least"; the time that is left is told once enough objects are built. Empty when
// no compiler has been seen, and on a terminal that is too narrow.
std::string StatusLine(const BuildStats& stats, std::chrono::seconds elapsed, int width);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_RUN_STATUS_LINE_H_

// model/assignments.h: NAME=value in front of a command, as a POSIX shell takes them.
#ifndef CUDADOCTOR_MODEL_ASSIGNMENTS_H_
#define CUDADOCTOR_MODEL_ASSIGNMENTS_H_

#include <cstddef>
#include <string_view>

namespace cudadoctor {

// Whether a variable may have this name.
bool IsVariableName(std::string_view text);

// Where the command begins behind its assignments, whose values may hold quoted blanks: 0 without
// assignments, and where nothing follows them.
size_t AssignmentsEnd(std::string_view command);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_MODEL_ASSIGNMENTS_H_

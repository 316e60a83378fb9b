// run/not_started.h: why a command did not start, as a shell tells it.
#ifndef CUDADOCTOR_RUN_NOT_STARTED_H_
#define CUDADOCTOR_RUN_NOT_STARTED_H_

#include <string>

namespace cudadoctor {

struct NotStarted {
  int status = 127;    // 127: not found; 126: found, and it cannot be executed
  std::string reason;  // "PROGRAM: why; what to do"
};

// `error` is the errno of the attempt to execute `program`, a path or a name on PATH.
NotStarted WhyNotStarted(const std::string& program, int error);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_RUN_NOT_STARTED_H_

// host/program.h: runs another program for what it prints, and never longer than it may take.
#ifndef CUDADOCTOR_HOST_PROGRAM_H_
#define CUDADOCTOR_HOST_PROGRAM_H_

#include <chrono>
#include <string>
#include <vector>

namespace cudadoctor {

struct ProgramResult {
  enum class End {
    kNotStarted,
    kExited,
    kKilled,   // by a signal of somebody else
    kNoAnswer  // it took longer than it may
  };
  End end = End::kNotStarted;
  int status = 0;      // exit status when kExited
  std::string output;  // standard output and error, at most 64 KiB
};

// Runs arguments[0], a path, without standard input. After `limit` its process group is killed and
// left to itself: a program that sits in the kernel (nvidia-smi on a stuck driver) is not waited
// for. Threads may call this at once.
ProgramResult RunProgram(const std::vector<std::string>& arguments,
                         std::chrono::milliseconds limit);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_HOST_PROGRAM_H_

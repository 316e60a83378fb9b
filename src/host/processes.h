// host/processes.h: the processes of this machine, as /proc tells them.
#ifndef CUDADOCTOR_HOST_PROCESSES_H_
#define CUDADOCTOR_HOST_PROCESSES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cudadoctor {

struct Process {
  int pid = 0;
  int parent = 0;
  int group = 0;  // process group
  int session = 0;
  uint32_t user = 0;
  std::string name;                    // as the kernel has it, at most 15 bytes: "cicc"
  std::vector<std::string> arguments;  // empty for kernel threads and zombies
  int64_t resident_bytes = 0;
  int64_t peak_bytes = 0;   // the most that was ever resident
  int64_t start_ticks = 0;  // since boot, in clock ticks; tells a pid that was used again
};

// Every process that `root`/proc shows, by rising pid. Processes that end meanwhile are left out.
// Takes about 20 microseconds a process.
std::vector<Process> ListProcesses(const std::string& root);

// The members of `all` that descend from `ancestor`, without it.
std::vector<Process> DescendantsOf(int ancestor, const std::vector<Process>& all);

// Whether a process of this name compiles, assembles or links: nvcc and its phases, gcc's and
// clang's own programs, rustc.
bool IsCompiler(std::string_view name);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_HOST_PROCESSES_H_

// run/build_watch.h: what a build does, seen from its processes and ninja's files.
#ifndef CUDADOCTOR_RUN_BUILD_WATCH_H_
#define CUDADOCTOR_RUN_BUILD_WATCH_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "host/processes.h"
#include "model/fact.h"
#include "run/ninja_files.h"

namespace cudadoctor {

// A job is the topmost compiler process with all below it: one nvcc and its cicc and ptxas, one g++
// and its cc1plus. Everything is seen in samples, so what is shorter than the time between two may
// be missed.
struct BuildStats {
  int live_compilers = 0;         // jobs now
  int64_t compiler_bytes = 0;     // resident in them now
  int64_t peak_bytes = 0;         // the most that was resident in all of them at once
  int64_t job_peak_bytes = 0;     // the most that was resident in one
  int jobs_at_once = 0;           // the most
  int jobs_seen = 0;              // different ones
  int compiles_seen = 0;          // those of them that make an object
  int compiles_done = 0;          // and have ended; a floor
  bool is_one_at_a_time = false;  // Python starts one compiler after another: there is no ninja
  int objects_built = 0;          // by the ninjas that run now
  int objects_total = 0;          // 0: no ninja runs, or its files do not tell
  bool is_total_floor = false;    // objects of an earlier run may have to be built again
  std::chrono::seconds objects_time{0};  // since the first of these ninjas was seen
};

// Not thread-safe.
class BuildWatch {
 public:
  // Reads processes and files below `root`, which is "" but in tests. `started` is when the command
  // began, in seconds since 1970.
  BuildWatch(std::string root, int64_t started);

  // Looks at `command`, a process, and all that descend from it. Takes as long as ListProcesses
  // (some milliseconds on a busy machine), more when a ninja is seen for the first time.
  void Sample(int command, std::chrono::steady_clock::time_point now);

  const BuildStats& stats() const { return stats_; }

 private:
  using Identity = std::pair<int, int64_t>;  // pid and start: a pid may be used again

  struct NinjaRun {
    NinjaProgress progress;
    std::chrono::steady_clock::time_point first_seen;
  };

  void Walk(const Process& process, const Process* parent, Process* job);
  void CountJob(const Process& job, const Process* parent);
  void AddNinja(const Process& ninja, std::chrono::steady_clock::time_point now);

  const std::string root_;
  const int64_t started_;
  BuildStats stats_;
  std::multimap<int, const Process*> children_;  // of the current sample, by parent
  std::set<int> walked_;
  std::set<Identity> jobs_;
  int live_compiles_ = 0;
  bool is_python_their_parent_ = true;
  std::map<Identity, NinjaRun> ninjas_;
};

// What was measured as facts of the host: job_memory_seen (the most that one job took, GiB),
// memory_peak (the most that all took at once, GiB), jobs_seen (the most at once). What is less
// than a tenth of a GiB is left out.
std::vector<Fact> MeasuredFacts(const BuildStats& stats);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_RUN_BUILD_WATCH_H_

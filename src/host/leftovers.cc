#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/views.h"
#include "host/machine.h"
#include "host/processes.h"
#include "host/subjects.h"

namespace cudadoctor {
namespace {

// What takes in processes whose parent has ended, besides pid 1: the kernel gives them to the
// nearest "child subreaper".
bool IsReaper(const Process& process) {
  constexpr std::array<std::string_view, 9> kNames = {
      "systemd",   "init",   "tini",       "dumb-init",      "docker-init",
      "catatonit", "conmon", "slurmstepd", "containerd-shim"};
  if (process.pid == 1) return true;
  for (const std::string_view name : kNames) {
    if (process.name.starts_with(name)) return true;
  }
  return process.name.starts_with("Relay(");  // WSL's
}

bool IsShell(const Process& process) {
  return process.name == "sh" || process.name == "bash" || process.name == "dash" ||
         process.name == "zsh";
}

// What a build puts between itself and a compiler: other compilers, sh -c, compiler caches.
bool IsBetween(const Process& process) {
  if (IsCompiler(process.name) || process.name == "ccache" || process.name == "sccache" ||
      process.name == "time" || process.name == "nice")
    return true;
  return IsShell(process) && process.arguments.size() > 2 && process.arguments[1] == "-c";
}

std::string Shown(int64_t bytes) {
  constexpr int64_t kMib = 1 << 20;
  if (bytes < 1024 * kMib) return absl::StrCat(bytes / kMib, " MiB");
  return absl::StrFormat("%.1f GiB", static_cast<double>(bytes) / (1024.0 * kMib));
}

class Leftovers {
 public:
  explicit Leftovers(const std::vector<Process>& all) {
    for (const Process& process : all) by_pid_[process.pid] = &process;
  }

  // Whether the build that started this compiler is gone: upwards, past what builds put in between,
  // comes what takes in orphans. A parent that /proc does not show says nothing.
  bool IsOne(const Process& compiler) const {
    const Process* process = &compiler;
    for (int depth = 0; depth < kMaxDepth; ++depth) {
      if (process->pid == 1) return false;
      const auto parent = by_pid_.find(process->parent);
      if (parent == by_pid_.end()) return false;
      // In a container the first process may be the shell that runs the build (RUN nvcc …): its
      // own children share its process group, the jobs of a ninja that ended do not.
      const bool is_first = parent->second->pid == 1;
      if (is_first && (IsShell(*parent->second) || IsBetween(*parent->second)))
        return process->group != parent->second->group;
      if (IsReaper(*parent->second)) return true;
      if (!IsBetween(*parent->second)) return false;
      process = parent->second;
    }
    return false;
  }

 private:
  static constexpr int kMaxDepth = 64;

  std::map<int, const Process*> by_pid_;
};

}  // namespace

std::vector<Fact> ProbeLeftovers(const Machine& machine) {
  const std::vector<Process> all = ListProcesses(machine.sources.root);
  const Leftovers leftovers(all);
  std::string listed, pids;
  int64_t bytes = 0;
  for (const Process& process : all) {
    const bool is_own = process.user == machine.sources.user || machine.sources.user == 0;
    // A process without memory has ended and waits to be reaped.
    if (!is_own || process.resident_bytes == 0 || !IsCompiler(process.name) ||
        !leftovers.IsOne(process))
      continue;
    absl::StrAppend(&listed, listed.empty() ? "" : ", ", process.name, " ", process.pid, " ",
                    Shown(process.resident_bytes));
    absl::StrAppend(&pids, pids.empty() ? "" : " ", process.pid);
    bytes += process.resident_bytes;
  }
  HostFacts facts;
  facts.Add("leftover_processes", ValueType::kText, pids.empty() ? "none" : listed, "/proc");
  if (pids.empty()) return std::move(facts.facts());
  facts.Add("leftover_pids", ValueType::kText, pids, "/proc");
  facts.AddBytes("leftover_memory", bytes, "/proc");
  return std::move(facts.facts());
}

}  // namespace cudadoctor

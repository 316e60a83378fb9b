#include "host/host_sources.h"

#include <sched.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace cudadoctor {
namespace {

int AffinityCount() {
  // A fixed cpu_set_t ends at 1024; larger machines need a larger set.
  constexpr int kMostCpus = 1 << 14;
  cpu_set_t* set = CPU_ALLOC(kMostCpus);
  if (set == nullptr) return 0;
  const size_t size = CPU_ALLOC_SIZE(kMostCpus);
  CPU_ZERO_S(size, set);
  const int count = sched_getaffinity(0, size, set) == 0 ? CPU_COUNT_S(size, set) : 0;
  CPU_FREE(set);
  return count;
}

std::optional<int64_t> FreeBytes(const std::string& folder) {
  struct statvfs status = {};
  if (statvfs(folder.c_str(), &status) != 0) return std::nullopt;
  return static_cast<int64_t>(status.f_bavail) * static_cast<int64_t>(status.f_frsize);
}

}  // namespace

HostSources LocalSources() {
  HostSources sources;
  sources.environment = [](const std::string& name) -> std::string {
    const char* value = std::getenv(name.c_str());
    return value == nullptr ? "" : value;
  };
  sources.run = RunProgram;
  sources.free_bytes = FreeBytes;
  struct utsname names = {};
  if (uname(&names) == 0) sources.machine = names.machine;
  std::error_code error;
  sources.working_folder = std::filesystem::current_path(error).string();
  sources.cpus = AffinityCount();
  sources.user = geteuid();
  return sources;
}

}  // namespace cudadoctor

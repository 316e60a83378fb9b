#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/views.h"
#include "host/machine.h"
#include "host/subjects.h"

namespace cudadoctor {
namespace {

// A number of bytes and the file or variable that states it.
struct Amount {
  int64_t value = std::numeric_limits<int64_t>::max();
  std::string at;

  void LowerTo(int64_t other, std::string_view other_at) {
    if (other >= value) return;
    value = other;
    at = std::string(other_at);
  }
};

std::optional<int64_t> Number(std::string_view text) {
  int64_t number = 0;
  if (!absl::SimpleAtoi(Absl(text), &number)) return std::nullopt;
  return number;
}

// The value behind `key` in lines of "key value" or "Key:  value kB".
std::optional<int64_t> Entry(const std::string& text, std::string_view key) {
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::vector<absl::string_view> words =
        absl::StrSplit(line, absl::ByAnyChar(" \t"), absl::SkipEmpty());
    if (words.size() >= 2 && Std(words[0]) == key) return Number(Std(words[1]));
  }
  return std::nullopt;
}

class Resources {
 public:
  explicit Resources(const Machine& machine) : machine_(machine), files_(machine.files) {}

  std::vector<Fact> Probe() {
    ReadGroups();
    AddMemory();
    AddCpus();
    AddDisks();
    return std::move(facts_.facts());
  }

 private:
  // Folders of this process's control group and all above it, whose limits hold as well; of version
  // 2, and of the controllers of version 1.
  void ReadGroups() {
    const std::string groups = files_.Read("/proc/self/cgroup");
    for (const absl::string_view line : absl::StrSplit(groups, '\n', absl::SkipEmpty())) {
      const std::vector<std::string> fields = absl::StrSplit(line, absl::MaxSplits(':', 2));
      if (fields.size() != 3) continue;
      if (fields[1].empty()) {
        AddLevels("", "/sys/fs/cgroup", fields[2]);
        continue;
      }
      for (const absl::string_view controller : absl::StrSplit(fields[1], ',')) {
        if (controller == "memory" || controller == "cpu")
          AddLevels(std::string(controller), absl::StrCat("/sys/fs/cgroup/", controller),
                    fields[2]);
      }
    }
  }

  // In a container the path is often the host's and the mount shows only what is below it: the
  // levels that do not exist here are left out.
  void AddLevels(const std::string& controller, const std::string& mount, std::string path) {
    while (path.size() > 1) {
      const std::string folder = mount + path;
      if (files_.IsFolder(folder)) levels_[controller].push_back(folder);
      path = std::string(FolderOf(path));
    }
    levels_[controller].push_back(mount);
  }

  void AddMemory() {
    const std::string meminfo = files_.Read("/proc/meminfo");
    const int64_t total = Entry(meminfo, "MemTotal:").value_or(0) * 1024;
    if (total > 0) facts_.AddBytes("memory_total", total, "/proc/meminfo");
    Amount limit, free;
    // Kernels before 3.14 do not say what is available.
    if (const auto available = Entry(meminfo, "MemAvailable:"))
      free.LowerTo(*available * 1024, "/proc/meminfo");
    for (const std::string& folder : levels_[""])
      AddLevel(folder, "memory.max", "memory.current", "inactive_file", total, limit, free);
    for (const std::string& folder : levels_["memory"])
      AddLevel(folder, "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file",
               total, limit, free);
    AddSlurm(total, limit, free);
    if (!limit.at.empty()) facts_.AddBytes("memory_limit", limit.value, limit.at);
    if (!free.at.empty()) facts_.AddBytes("memory_free", free.value, free.at);
  }

  // No limit is "max" in version 2, and a number beyond all memory in version 1.
  void AddLevel(const std::string& folder, const char* limit_name, const char* usage_name,
                const char* cache_name, int64_t total, Amount& limit, Amount& free) const {
    const std::string at = JoinPath(folder, limit_name);
    const std::optional<int64_t> bytes = Number(files_.ReadLine(at));
    if (!bytes.has_value() || *bytes <= 0 || (total > 0 && *bytes >= total)) return;
    limit.LowerTo(*bytes, at);
    const std::optional<int64_t> usage = Number(files_.ReadLine(JoinPath(folder, usage_name)));
    if (!usage.has_value()) return;
    // Cached files count as used, and give way before anything is killed.
    const int64_t cache =
        Entry(files_.Read(JoinPath(folder, "memory.stat")), cache_name).value_or(0);
    free.LowerTo(std::max<int64_t>(0, *bytes - std::max<int64_t>(0, *usage - cache)), at);
  }

  // In MiB; 0 means all memory of the node.
  void AddSlurm(int64_t total, Amount& limit, Amount& free) const {
    int64_t mib = Number(machine_.Environment("SLURM_MEM_PER_NODE")).value_or(0);
    std::string_view at = "SLURM_MEM_PER_NODE";
    if (mib <= 0) {
      mib = Number(machine_.Environment("SLURM_MEM_PER_CPU")).value_or(0) *
            Number(machine_.Environment("SLURM_CPUS_ON_NODE")).value_or(0);
      at = "SLURM_MEM_PER_CPU × SLURM_CPUS_ON_NODE";
    }
    if (mib <= 0 || mib > (int64_t{1} << 40)) return;
    const int64_t bytes = mib << 20;
    if (total > 0 && bytes >= total) return;
    limit.LowerTo(bytes, at);
    free.LowerTo(bytes, at);
  }

  void AddCpus() {
    const int64_t affinity = machine_.sources.cpus;
    Amount count;
    if (affinity > 0) count.LowerTo(affinity, "affinity");
    for (const std::string& folder : levels_[""]) {
      const std::string at = JoinPath(folder, "cpu.max");
      const std::vector<std::string> words = absl::StrSplit(files_.ReadLine(at), ' ');
      if (words.size() == 2) AddQuota(Number(words[0]), Number(words[1]), at, count);
    }
    for (const std::string& folder : levels_["cpu"]) {
      const std::string at = JoinPath(folder, "cpu.cfs_quota_us");
      AddQuota(Number(files_.ReadLine(at)),
               Number(files_.ReadLine(JoinPath(folder, "cpu.cfs_period_us"))), at, count);
    }
    if (const auto slurm = Number(machine_.Environment("SLURM_CPUS_ON_NODE")); slurm > 0)
      count.LowerTo(*slurm, "SLURM_CPUS_ON_NODE");
    if (!count.at.empty())
      facts_.Add("cpu_count", ValueType::kInteger, absl::StrCat(count.value), count.at);
    if (const int64_t online = Online(); online > 0)
      facts_.Add("cpu_total", ValueType::kInteger, absl::StrCat(online),
                 "/sys/devices/system/cpu/online");
  }

  // The kernel allows `quota` microseconds of processor time in each `period`.
  static void AddQuota(std::optional<int64_t> quota, std::optional<int64_t> period,
                       const std::string& at, Amount& count) {
    if (!quota.has_value() || *quota <= 0 || !period.has_value() || *period <= 0) return;
    count.LowerTo(std::max<int64_t>(1, *quota / *period), at);
  }

  // "0-3,8-11"
  int64_t Online() const {
    int64_t online = 0;
    const std::string ranges = files_.ReadLine("/sys/devices/system/cpu/online");
    for (const absl::string_view range : absl::StrSplit(ranges, ',', absl::SkipEmpty())) {
      const std::pair<absl::string_view, absl::string_view> ends = absl::StrSplit(range, '-');
      const auto first = Number(Std(ends.first));
      const auto last = ends.second.empty() ? first : Number(Std(ends.second));
      if (first.has_value() && last.has_value() && *last >= *first) online += *last - *first + 1;
    }
    return online;
  }

  void AddDisks() {
    const std::string home = machine_.Home();
    const std::string given_cache = machine_.PathFrom("XDG_CACHE_HOME");
    const std::string cache =
        !given_cache.empty() || home.empty() ? given_cache : JoinPath(home, ".cache");
    const auto either = [&](const char* variable, const char* below_cache) {
      const std::string given = machine_.PathFrom(variable);
      return !given.empty() || cache.empty() ? given : JoinPath(cache, below_cache);
    };
    const std::string temporary = machine_.PathFrom("TMPDIR");
    for (const std::string& folder :
         {temporary.empty() ? std::string("/tmp") : temporary, machine_.sources.working_folder,
          home, either("PIP_CACHE_DIR", "pip"), either("UV_CACHE_DIR", "uv"),
          either("TORCH_EXTENSIONS_DIR", "torch_extensions")})
      AddDisk(folder);
  }

  // A cache that does not exist yet will be made in the nearest folder that does.
  void AddDisk(const std::string& folder) {
    if (folder.empty() || std::find(disks_.begin(), disks_.end(), folder) != disks_.end()) return;
    disks_.push_back(folder);
    std::string existing = folder;
    while (existing != "/" && !files_.IsFolder(existing))
      existing = std::string(FolderOf(existing));
    if (const std::optional<int64_t> bytes = machine_.sources.free_bytes(existing))
      facts_.AddBytes("disk_free", *bytes, folder);
  }

  const Machine& machine_;
  const RootFiles& files_;
  HostFacts facts_;
  std::map<std::string, std::vector<std::string>> levels_;  // by controller; "" is version 2
  std::vector<std::string> disks_;
};

}  // namespace

std::vector<Fact> ProbeResources(const Machine& machine) { return Resources(machine).Probe(); }

}  // namespace cudadoctor

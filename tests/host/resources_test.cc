#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "host/subjects.h"
#include "recorded_machine.h"

namespace cudadoctor {
namespace {

const std::string kMeminfo =
    "@@ file /proc/meminfo\nMemTotal:       67108864 kB\nMemAvailable:   33554432 kB\n";

TEST(ProbeResourcesTest, Limits) {
  const std::string memory = "memory_total 64.0 | /proc/meminfo\n";
  const std::string available = "memory_free 32.0 | /proc/meminfo";
  struct Row {
    const char* name;
    std::string tree;
    std::string facts;
  };
  const Row rows[] = {
      {"nothing is known", "", ""},
      {"no limit", kMeminfo, memory + available},
      {"no limit of version 1",
       kMeminfo + "@@ file /proc/self/cgroup\n4:memory:/\n"
                  "@@ file /sys/fs/cgroup/memory/memory.limit_in_bytes\n"
                  "9223372036854771712\n",
       memory + available},
      {"a limit beyond what is available",
       kMeminfo + "@@ file /proc/self/cgroup\n0::/a/b\n"
                  "@@ file /sys/fs/cgroup/a/memory.max\n"
                  "51539607552\n"
                  "@@ file /sys/fs/cgroup/a/memory.current\n0\n",
       memory + "memory_limit 48.0 | /sys/fs/cgroup/a/memory.max\n" + available},
      {"used up",
       kMeminfo + "@@ file /proc/self/cgroup\n0::/\n@@ file /sys/fs/cgroup/memory.max\n"
                  "8589934592\n@@ file /sys/fs/cgroup/memory.current\n8589934600\n",
       memory + "memory_limit 8.0 | /sys/fs/cgroup/memory.max\n"
                "memory_free 0.0 | /sys/fs/cgroup/memory.max"},
      {"Slurm", kMeminfo + "@@ env SLURM_MEM_PER_NODE=16384\n",
       memory + "memory_limit 16.0 | SLURM_MEM_PER_NODE\nmemory_free 16.0 | SLURM_MEM_PER_NODE"},
      {"Slurm, all of the node", kMeminfo + "@@ env SLURM_MEM_PER_NODE=0\n", memory + available},
      {"Slurm, absurd",
       kMeminfo + "@@ env SLURM_MEM_PER_CPU=9223372036854775807\n"
                  "@@ env SLURM_CPUS_ON_NODE=many\n",
       memory + available},
      {"affinity", "@@ cpus 6\n@@ file /sys/devices/system/cpu/online\n0-3,8-11,15\n",
       "cpu_count 6 | affinity\ncpu_total 9 | /sys/devices/system/cpu/online"},
      {"less than a core",
       "@@ cpus 6\n@@ file /proc/self/cgroup\n0::/\n"
       "@@ file /sys/fs/cgroup/cpu.max\n50000 100000\n",
       "cpu_count 1 | /sys/fs/cgroup/cpu.max"},
      {"no quota",
       "@@ cpus 6\n@@ file /proc/self/cgroup\n0::/\n2:cpu,cpuacct:/\n"
       "@@ file /sys/fs/cgroup/cpu.max\nmax 100000\n"
       "@@ file /sys/fs/cgroup/cpu/cpu.cfs_quota_us\n-1\n"
       "@@ file /sys/fs/cgroup/cpu/cpu.cfs_period_us\n100000\n",
       "cpu_count 6 | affinity"},
      {"disks",
       "@@ free 7\n@@ cwd /tmp\n@@ env HOME=/home/a\n@@ env XDG_CACHE_HOME=/c\n"
       "@@ env PIP_CACHE_DIR=/c/wheels\n",
       "disk_free 7.0 | /tmp\ndisk_free 7.0 | /home/a\ndisk_free 7.0 | /c/wheels\n"
       "disk_free 7.0 | /c/uv\ndisk_free 7.0 | /c/torch_extensions"},
  };
  for (const Row& row : rows) {
    const RecordedMachine recorded(row.tree);
    ASSERT_TRUE(recorded.mistakes().empty()) << row.name;
    EXPECT_EQ(absl::StrJoin(Listed(ProbeResources(Machine(recorded.sources()))), "\n"), row.facts)
        << row.name;
  }
}

}  // namespace
}  // namespace cudadoctor

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "host/subjects.h"
#include "recorded_machine.h"

namespace cudadoctor {
namespace {

TEST(ProbeLeftoversTest, OnlyWhatLostItsBuild) {
  struct Row {
    const char* name;
    std::string processes;
    const char* pids;  // of what is left over
  };
  const std::string systemd = "@@ process 1 0 1 systemd 900\n";
  const Row rows[] = {
      {"no compiler", systemd + "@@ process 5 1 5 python3 900\n", ""},
      {"taken in by init", systemd + "@@ process 5 1 5 cicc 2048\n", "5"},
      {"taken in by the user's systemd",
       systemd + "@@ process 4 1 4 systemd 900\n@@ process 5 4 5 ptxas 2048\n", "5"},
      {"taken in by slurmstepd",
       systemd + "@@ process 4 1 4 slurmstepd 900\n@@ process 5 4 5 nvcc 2048\n", "5"},
      {"a batch script",
       systemd + "@@ process 4 1 4 slurmstepd 900\n"
                 "@@ process 5 4 5 bash 900 /bin/bash job.sh\n"
                 "@@ process 6 5 5 nvcc 2048\n",
       ""},
      {"by hand", systemd + "@@ process 4 1 4 bash 900 -bash\n@@ process 5 4 5 nvcc 2048\n", ""},
      {"over ssh",
       systemd + "@@ process 4 1 4 sshd 900\n"
                 "@@ process 5 4 5 bash 900 bash -c nvcc\n"
                 "@@ process 6 5 5 nvcc 2048\n",
       ""},
      {"a driver and its phases",
       systemd + "@@ process 5 1 5 sh 900 /bin/sh -c x\n"
                 "@@ process 6 5 5 nvcc 2048\n"
                 "@@ process 7 6 5 cicc 2048\n",
       "6 7"},
      {"RUN nvcc", "@@ process 1 0 1 sh 900 /bin/sh -c nvcc\n@@ process 5 1 1 nvcc 2048\n", ""},
      {"RUN, after its ninja died",
       "@@ process 1 0 1 sh 900 /bin/sh -c pip\n@@ process 5 1 5 nvcc 2048\n", "5"},
      {"the container is nvcc", "@@ process 1 0 1 nvcc 900 nvcc\n@@ process 5 1 1 cicc 2048\n", ""},
      {"docker exec", "@@ process 1 0 1 sleep 900\n@@ process 5 0 5 nvcc 2048\n", ""},
      {"its parent is hidden", "@@ process 5 4 5 nvcc 2048\n", ""},
      {"ended, not reaped", systemd + "@@ process 5 1 5 cicc 0\n", ""},
      {"another user's", systemd + "@@ process 5 1 5 cicc 2048\n@@ user 1001\n", ""},
      {"anybody's, for root", systemd + "@@ process 5 1 5 cicc 2048\n@@ user 0\n", "5"},
  };
  for (const Row& row : rows) {
    const RecordedMachine recorded(row.processes);
    ASSERT_TRUE(recorded.mistakes().empty()) << row.name;
    const std::vector<Fact> facts = ProbeLeftovers(Machine(recorded.sources()));
    std::string pids;
    for (const Fact& fact : facts) {
      if (fact.name == "leftover_pids") pids = fact.value;
    }
    EXPECT_EQ(pids, row.pids) << row.name;
    EXPECT_EQ(facts.size(), pids.empty() ? 1 : 3) << row.name;
  }
}

}  // namespace
}  // namespace cudadoctor

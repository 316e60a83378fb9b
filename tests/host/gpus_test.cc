#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "host/subjects.h"
#include "recorded_machine.h"

namespace cudadoctor {
namespace {

const std::string kSmi = "@@ env PATH=/usr/bin\n@@ program /usr/bin/nvidia-smi\n";
const std::string kQuery =
    " /usr/bin/nvidia-smi --query-gpu=name,driver_version,memory.total,compute_cap "
    "--format=csv,noheader\n";
const std::string kModule =
    "@@ file /proc/driver/nvidia/version\n"
    "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90.07  Fri May 31 09:35:42 UTC 2024\n";

TEST(ProbeGpusTest, Drivers) {
  struct Row {
    const char* name;
    std::string tree;
    std::string facts;
  };
  const Row rows[] = {
      {"nothing", "", "no_gpu yes | /dev/nvidiactl"},
      {"two kinds",
       kSmi + "@@ run 0" + kQuery +
           "Tesla T4, 550.90.07, 15360 MiB, 7.5\n"
           "NVIDIA A10, 550.90.07, 23028 MiB, 8.6\n",
       "gpu_name Tesla T4 | GPU 0\ngpu_capability 7.5 | GPU 0\ngpu_memory_total 15.0 | GPU 0\n"
       "gpu_name NVIDIA A10 | GPU 1\ngpu_capability 8.6 | GPU 1\ngpu_memory_total 22.5 | GPU 1\n"
       "driver_version 550.90.07 | /usr/bin/nvidia-smi"},
      {"no device",
       kSmi + kModule + "@@ file /dev/nvidiactl\n@@ run 0" + kQuery + "No devices were found\n",
       "no_gpu yes | /usr/bin/nvidia-smi\ndriver_version 550.90.07 | /proc/driver/nvidia/version"},
      {"mismatch",
       kSmi + kModule + "@@ file /dev/nvidiactl\n@@ run 18" + kQuery +
           "Failed to initialize NVML: Driver/library version mismatch\n"
           "NVML library version: 560.35\n",
       "nvidia_smi_says Failed to initialize NVML: Driver/library version mismatch | "
       "/usr/bin/nvidia-smi\ndriver_version 550.90.07 | /proc/driver/nvidia/version"},
      {"a container without its GPUs", kModule,
       "driver_version 550.90.07 | /proc/driver/nvidia/version\nno_gpu yes | /dev/nvidiactl"},
      {"a hostile name", kSmi + "@@ run 0" + kQuery + "$(reboot), 1.2, 1 MiB, `id`\n",
       "gpu_memory_total 0.0 | GPU 0\ndriver_version 1.2 | /usr/bin/nvidia-smi"},
      {"no nvidia-smi",
       kSmi + "@@ run 0" + kQuery + "a,b,c,d\nusage: nvidia-smi, of a friend, here\n",
       "no_gpu yes | /usr/bin/nvidia-smi"},
      {"what the process may see", "@@ env CUDA_VISIBLE_DEVICES=-1\n",
       "no_gpu yes | /dev/nvidiactl\ncuda_visible_devices -1 | CUDA_VISIBLE_DEVICES"},
      {"WSL without nvidia-smi", "@@ file /dev/dxg\n", ""},
  };
  for (const Row& row : rows) {
    const RecordedMachine recorded(row.tree);
    ASSERT_TRUE(recorded.mistakes().empty()) << row.name;
    EXPECT_EQ(absl::StrJoin(Listed(ProbeGpus(Machine(recorded.sources()))), "\n"), row.facts)
        << row.name;
  }
}

}  // namespace
}  // namespace cudadoctor

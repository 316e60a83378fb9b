#include "host/host_text.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

Fact Of(const char* name, ValueType type, const char* value, const char* at = "") {
  return {name, type, value, Origin::kHost, 0, 0, at};
}

TEST(RenderHostTextTest, Nothing) {
  EXPECT_EQ(RenderHostText({}),
            "system  no package manager found\n"
            "        NVIDIA's package repository is not configured\n"
            "GPU     no NVIDIA driver found\n"
            "CUDA    no nvcc found\n"
            "        no complete CUDA toolkit found\n"
            "build   no C++ compiler found\n"
            "Python  no Python found\n"
            "        torch is not installed\n");
}

TEST(RenderHostTextTest, GroupsAlignsAndJoins) {
  const std::vector<Fact> facts = {
      Of("disk_free", ValueType::kSize, "7.0", "/tmp"),
      Of("installed_module", ValueType::kRequirement, "ninja==1.11", "/v"),
      Of("installed_module", ValueType::kRequirement, "wheel==0.45", "/v"),
      Of("installed_module", ValueType::kRequirement, "numpy==2.0", "/usr"),
      Of("gpu_name", ValueType::kGpuName, "NVIDIA H200", "GPU 0"),
      Of("gpu_name", ValueType::kGpuName, "NVIDIA H200", "GPU 1"),
      Of("gpu_name", ValueType::kGpuName, "Tesla T4", "GPU 2"),
      Of("disk_free", ValueType::kSize, "7.0", "/home"),
      Of("no_gpu", ValueType::kFlag, "yes", "/dev/nvidiactl"),
      Of("package_manager", ValueType::kWord, "apt"),
      Of("cuda_repo", ValueType::kWord, "ubuntu2404", "/etc/apt/ä.list"),
      Of("cuda_repo_arch", ValueType::kWord, "x86_64"),
      Of("driver_version", ValueType::kVersion, "570.1", "smi"),
      Of("toolkit_cuda", ValueType::kVersion, "12.8", "n"),
      Of("installed_toolkit", ValueType::kVersion, "12.8", "i"),
      Of("compiler_path", ValueType::kPath, "/a/path/that/is/longer/than/any/column/is", "CXX"),
      Of("python_version", ValueType::kVersion, "3.12", "/v"),
      Of("torch_version", ValueType::kVersion, "2.8.0", "/v"),
      Of("from_a_newer_version", ValueType::kWord, "x", "y")};
  EXPECT_EQ(RenderHostText(facts),
            "system  packages       apt\n"
            "        NVIDIA's repo  ubuntu2404                        /etc/apt/ä.list\n"
            "GPU     driver         570.1                             smi\n"
            "        name           NVIDIA H200                       GPU 0, GPU 1\n"
            "                       Tesla T4                          GPU 2\n"
            "        GPUs           none visible                      /dev/nvidiactl\n"
            "CUDA    nvcc in use    12.8                              n\n"
            "        installed      12.8                              i\n"
            "build   its path       /a/path/that/is/longer/than/any/column/is  CXX\n"
            "Python  version        3.12                              /v\n"
            "        torch          2.8.0                             /v\n"
            "        installed      ninja==1.11, wheel==0.45          /v\n"
            "                       numpy==2.0                        /usr\n"
            "memory  free disk      7.0 GiB                           /tmp, /home\n"
            "more    from_a_newer_version x                                 y\n");
}

}  // namespace
}  // namespace cudadoctor

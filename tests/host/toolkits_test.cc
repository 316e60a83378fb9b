#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "host/subjects.h"
#include "recorded_machine.h"

namespace cudadoctor {
namespace {

TEST(ProbeToolkitsTest, ChoiceAndVersions) {
  const std::string cuda =
      "@@ program /usr/local/cuda/bin/nvcc\n@@ file /usr/local/cuda/include/cuda_runtime.h\n"
      "@@ file /usr/local/cuda/version.json\n{\"cuda\": {\"version\": \"12.4.1\"}}\n";
  const std::string other =
      "@@ program /opt/x/bin/nvcc\n@@ file /opt/x/include/cuda_runtime.h\n"
      "@@ file /opt/x/include/cuda.h\n#define CUDA_VERSION 13010\n";
  struct Row {
    const char* name;
    std::string tree;
    std::string facts;
  };
  const Row rows[] = {
      {"none", "", ""},
      {"CUDA_HOME before PATH",
       "@@ env CUDA_HOME=/opt/x\n@@ env PATH=/usr/local/cuda/bin\n" + cuda + other,
       "toolkit_cuda 13.1 | /opt/x/bin/nvcc\ntoolkit_path /opt/x | CUDA_HOME\n"
       "installed_toolkit 12.4 | /usr/local/cuda\ninstalled_toolkit 13.1 | /opt/x"},
      {"CUDA_PATH", "@@ env CUDA_PATH=/opt/x\n" + other,
       "toolkit_cuda 13.1 | /opt/x/bin/nvcc\ntoolkit_path /opt/x | CUDA_PATH\n"
       "installed_toolkit 13.1 | /opt/x"},
      {"the default", cuda,
       "toolkit_cuda 12.4 | /usr/local/cuda/bin/nvcc\n"
       "toolkit_path /usr/local/cuda | the default, nvcc is not on PATH\n"
       "installed_toolkit 12.4 | /usr/local/cuda"},
      {"only a runtime", "@@ file /usr/local/cuda-12.6/lib64/libcudart.so.12\n", ""},
      {"only headers",
       "@@ file /usr/local/cuda-12.6/include/cuda_runtime.h\n"
       "@@ file /usr/local/cuda-12.6/include/cuda.h\n#define CUDA_VERSION 12060\n",
       "toolkit_without_nvcc 12.6 | /usr/local/cuda-12.6"},
      {"conda",
       "@@ env CONDA_PREFIX=/c\n@@ env PATH=/c/bin\n@@ program /c/bin/nvcc\n"
       "@@ file /c/targets/x86_64-linux/include/cuda_runtime.h\n"
       "@@ file /c/targets/x86_64-linux/include/cuda.h\n#define CUDA_VERSION 12090\n"
       "@@ file /c/conda-meta/cuda-nvcc-12.8.93-hcdd1206_1.json\n{}\n",
       "toolkit_cuda 12.8 | /c/bin/nvcc\ntoolkit_path /c | PATH\ninstalled_toolkit 12.8 | /c"},
      {"broken files",
       "@@ env CUDA_HOME=/opt/x\n@@ program /opt/x/bin/nvcc\n"
       "@@ file /opt/x/version.json\n{\"cuda\": 7\n"
       "@@ file /opt/x/include/cuda.h\n#define CUDA_VERSION many\n",
       "toolkit_path /opt/x | CUDA_HOME"},
      {"a version.json of another shape",
       "@@ env CUDA_HOME=/opt/x\n@@ program /opt/x/bin/nvcc\n"
       "@@ file /opt/x/version.json\n[{\"cuda\": {}}]\n"
       "@@ run 0 /opt/x/bin/nvcc --version\nrelease 11.2, V1\n",
       "toolkit_cuda 11.2 | /opt/x/bin/nvcc\ntoolkit_path /opt/x | CUDA_HOME\n"
       "toolkit_without_headers 11.2 | /opt/x"},
  };
  for (const Row& row : rows) {
    const RecordedMachine recorded(row.tree);
    ASSERT_TRUE(recorded.mistakes().empty()) << row.name;
    EXPECT_EQ(absl::StrJoin(Listed(ProbeToolkits(Machine(recorded.sources()))), "\n"), row.facts)
        << row.name;
  }
}

}  // namespace
}  // namespace cudadoctor

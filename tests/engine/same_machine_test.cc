#include "engine/same_machine.h"

#include <utility>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

using Values = std::vector<std::pair<std::string, std::string>>;

std::vector<Fact> Facts(const Values& values) {
  std::vector<Fact> facts;
  for (const auto& [name, value] : values) facts.push_back({name, ValueType::kText, value});
  return facts;
}

TEST(DifferenceOfMachinesTest, WhatContradicts) {
  const struct {
    const char* name;
    Values log;
    Values host;
    const char* expected;  // "" for none
  } rows[] = {
      {"nothing stated", {}, {{"os", "linux"}}, ""},
      {"equal", {{"distro", "debian"}}, {{"distro", "debian"}}, ""},
      {"another system", {{"os", "windows"}}, {{"os", "linux"}}, "os is windows, here linux"},
      {"one of several GPUs",
       {{"gpu_name", "L4"}},
       {{"gpu_name", "NVIDIA H100"}, {"gpu_name", "NVIDIA L4"}},
       ""},
      {"another GPU",
       {{"gpu_name", "NVIDIA GeForce RTX 5090"}},
       {{"gpu_name", "NVIDIA L4"}},
       "gpu_name is NVIDIA GeForce RTX 5090, here NVIDIA L4"},
      {"a container elsewhere",
       {{"docker", "yes"}},
       {},
       "the log says docker, this machine does not"},
      {"in this container", {{"docker", "yes"}}, {{"docker", "yes"}}, ""},
      {"memory, rounded", {{"memory_total", "62.0"}}, {{"memory_total", "62.7"}}, ""},
      {"other memory",
       {{"memory_total", "15.6"}},
       {{"memory_total", "62.7"}},
       "memory_total is 15.6 GiB, here 62.7 GiB"},
      {"an installed toolkit", {{"toolkit_cuda", "12.8.93"}}, {{"installed_toolkit", "12.8"}}, ""},
      {"a toolkit that is not here",
       {{"toolkit_cuda", "13.1"}},
       {{"installed_toolkit", "12.8"}},
       "toolkit_cuda is 13.1, here 12.8"},
      {"toolkits not looked for", {{"toolkit_cuda", "13.1"}}, {}, ""},
      {"no toolkit here",
       {{"toolkit_cuda", "13.1"}},
       {{"leftover_processes", "none"}},
       "toolkit_cuda is 13.1, here none"},
      {"environments differ on one machine",
       {{"torch_version", "2.8"}},
       {{"torch_version", "2.9"}},
       ""},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(DifferenceOfMachines(Facts(row.log), Facts(row.host)).value_or(""), row.expected)
        << row.name;
  }
}

TEST(WithoutContradictedTest, DropsAllThatIsSaidOfAnotherThing) {
  const Values host = {{"torch_version", "2.8.0+cu128"}, {"torch_cuda", "12.8"},
                       {"toolkit_cuda", "12.8"},         {"toolkit_path", "/usr/local/cuda"},
                       {"gpu_name", "NVIDIA H100"},      {"gpu_name", "NVIDIA L4"},
                       {"gpu_capability", "9.0"},        {"memory_free", "50.0"}};
  const struct {
    const char* name;
    Values log;
    const char* left;
  } rows[] = {
      {"nothing stated",
       {},
       "torch_version torch_cuda toolkit_cuda toolkit_path gpu_name gpu_name gpu_capability "
       "memory_free"},
      {"the same",
       {{"torch_version", "2.8.0"}, {"gpu_name", "L4"}, {"toolkit_cuda", "12.8.93"}},
       "torch_version torch_cuda toolkit_cuda toolkit_path gpu_name gpu_name gpu_capability "
       "memory_free"},
      {"another torch",
       {{"torch_version", "2.1.0"}},
       "toolkit_cuda toolkit_path gpu_name gpu_name gpu_capability memory_free"},
      {"another build of the same torch",
       {{"torch_version", "2.8.0+cu126"}},
       "toolkit_cuda toolkit_path gpu_name gpu_name gpu_capability memory_free"},
      {"torch for another CUDA",
       {{"torch_cuda", "13.0"}},
       "toolkit_cuda toolkit_path gpu_name gpu_name gpu_capability memory_free"},
      {"another toolkit",
       {{"toolkit_cuda", "11.8"}},
       "torch_version torch_cuda gpu_name gpu_name gpu_capability memory_free"},
      {"a tool that is no Python installer",
       {{"command", "CC=gcc /usr/bin/cmake --build build"}, {"torch_version", "2.8.0"}},
       "torch_version torch_cuda toolkit_cuda toolkit_path gpu_name gpu_name gpu_capability "
       "memory_free"},
      {"and nothing of PyTorch",
       {{"command", "make -j8"}},
       "toolkit_cuda toolkit_path gpu_name gpu_name gpu_capability memory_free"},
      {"another GPU",
       {{"gpu_name", "Tesla T4"}},
       "torch_version torch_cuda toolkit_cuda toolkit_path memory_free"},
  };
  for (const auto& row : rows) {
    std::string left;
    for (const Fact& fact : WithoutContradicted(Facts(row.log), Facts(host)))
      left += (left.empty() ? "" : " ") + fact.name;
    EXPECT_EQ(left, row.left) << row.name;
  }
}

TEST(WithoutContradictedTest, KeepsTheToolOnlyForPythonPackages) {
  const Values host = {
      {"tool", "uv"}, {"rocm", "yes"}, {"conda_env", "yes"}, {"python_version", "3.12.3"}};
  const struct {
    const char* name;
    Values log;
    const char* left;
  } rows[] = {
      {"pip", {{"command", "pip install ."}}, "tool rocm conda_env python_version"},
      {"cmake", {{"command", "cmake -B build"}}, "conda_env python_version"},
      {"the last command decides",
       {{"command", "make"}, {"command", "pip install ."}},
       "tool rocm conda_env python_version"},
      {"CUDA", {{"toolkit_cuda", "12.8"}}, "tool conda_env python_version"},
      {"ROCm", {{"toolkit_cuda", "12.8"}, {"rocm", "yes"}}, "tool rocm conda_env python_version"},
      {"another Python", {{"python_version", "3.10"}}, "tool rocm"},
  };
  for (const auto& row : rows) {
    std::string left;
    for (const Fact& fact : WithoutContradicted(Facts(row.log), Facts(host)))
      left += (left.empty() ? "" : " ") + fact.name;
    EXPECT_EQ(left, row.left) << row.name;
  }
}

}  // namespace
}  // namespace cudadoctor

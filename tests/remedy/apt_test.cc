#include "remedy/apt.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "diagnose/resolver.h"
#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

struct Said {
  const char* name;
  ValueType type;
  const char* value;
};

TEST(AptPrerequisitesTest, WhatIsMissingComesFirst) {
  const std::vector<Said> debian = {{"distro", ValueType::kWord, "debian"},
                                    {"distro_version", ValueType::kVersion, "12"},
                                    {"machine", ValueType::kWord, "x86_64"}};
  const std::vector<Said> arm = {{"distro", ValueType::kWord, "ubuntu"},
                                 {"distro_version", ValueType::kVersion, "22.04"},
                                 {"machine", ValueType::kWord, "aarch64"}};
  const Said no_repository = {"no_cuda_repo", ValueType::kFlag, "yes"};
  const Said no_lists = {"apt_lists_missing", ValueType::kFlag, "yes"};
  const auto with = [](std::vector<Said> said, const Said& more) {
    said.push_back(more);
    return said;
  };
  const struct {
    const char* name;
    const char* run;
    std::vector<Said> said;
    const char* first;
  } rows[] = {
      {"nothing is missing", "sudo apt-get install -y g++", debian, ""},
      {"nothing is known", "sudo apt-get install -y cuda-toolkit-13-0", {}, ""},
      {"no lists", "sudo apt-get install -y g++", with(debian, no_lists), "sudo apt-get update"},
      {"root", "apt-get install -y g++", with(debian, no_lists), "apt-get update"},
      {"they are fetched", "apt-get update && apt-get install -y g++", with(debian, no_lists), ""},
      {"no apt", "pip install ninja", with(debian, no_lists), ""},
      {"a package of the distribution", "sudo apt-get install -y g++ nvidia-cuda-toolkit",
       with(debian, no_repository), ""},
      {"NVIDIA's", "sudo apt-get install -y libnccl2 libnccl-dev", with(debian, no_repository),
       "wget https://developer.download.nvidia.com/compute/cuda/repos/debian12/x86_64/"
       "cuda-keyring_1.1-1_all.deb\n"
       "sudo dpkg -i cuda-keyring_1.1-1_all.deb\nsudo apt-get update"},
      {"NVIDIA's for a server of ARM's", "apt-get install -y cuda-toolkit-13-0",
       with(arm, no_repository),
       "wget https://developer.download.nvidia.com/compute/cuda/repos/ubuntu2204/sbsa/"
       "cuda-keyring_1.1-1_all.deb\n"
       "dpkg -i cuda-keyring_1.1-1_all.deb\napt-get update"},
      {"a Jetson has its own", "sudo apt-get install -y cudnn9-cuda-12",
       with(with(arm, no_repository), {"jetson", ValueType::kFlag, "yes"}), ""},
      {"a distribution that NVIDIA has no packages for", "sudo apt-get install -y cuda",
       with({{"distro", ValueType::kWord, "kali"}}, no_repository), ""},
  };
  const Knowledge knowledge([](std::string_view) { return ""; });
  const std::vector<DerivedFact> derived;
  for (const auto& row : rows) {
    FactStore facts;
    for (const Said& said : row.said) facts.Add({said.name, said.type, said.value, Origin::kHost});
    const Resolver base(facts, derived, knowledge);
    EXPECT_EQ(absl::StrJoin(AptPrerequisites(row.run, base.At(1, 100, {})), "\n"), row.first)
        << row.name;
  }
}

}  // namespace
}  // namespace cudadoctor

#include "host/package_sources.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "recorded_machine.h"

namespace cudadoctor {
namespace {

TEST(PackageSourcesTest, OnlyWhatIsSwitchedOn) {
  const std::string url = "https://developer.download.nvidia.com/compute/cuda/repos/";
  struct Row {
    const char* path;
    std::string content;
    std::string facts;  // without places
  };
  const Row rows[] = {
      {"/etc/apt/sources.list", "deb " + url + "ubuntu2204/sbsa /\n",
       "cuda_repo ubuntu2204,cuda_repo_arch sbsa"},
      {"/etc/apt/sources.list.d/cuda.list", "  # deb " + url + "ubuntu2204/x86_64/ /\n", ""},
      {"/etc/apt/sources.list.d/cuda.list.save", "deb " + url + "ubuntu2204/x86_64/ /\n", ""},
      {"/etc/apt/sources.list.d/cuda.sources",
       "Types: deb\nURIs: " + url + "debian12/x86_64\nSuites: /\n",
       "cuda_repo debian12,cuda_repo_arch x86_64"},
      {"/etc/apt/sources.list.d/cuda.sources", "Enabled: no\nURIs: " + url + "debian12/x86_64\n",
       ""},
      {"/etc/apt/sources.list.d/cuda.sources",
       "Enabled: no\nURIs: https://deb.example.org\n\nURIs: " + url + "debian12/x86_64\n",
       "cuda_repo debian12,cuda_repo_arch x86_64"},
      {"/etc/yum.repos.d/cuda.repo", "[cuda]\nbaseurl=" + url + "fedora41/x86_64\nenabled=0\n", ""},
      {"/etc/yum.repos.d/cuda.repo",
       "[a]\nenabled=0\n[cuda]\nbaseurl=" + url + "fedora41/x86_64\nenabled=1\n",
       "cuda_repo fedora41,cuda_repo_arch x86_64"},
      {"/etc/apt/sources.list.d/local.list", "deb file:///var/cuda-repo-ubuntu2204-12-8-local /\n",
       "cuda_local_repo ubuntu2204-12-8-local"},
      {"/etc/apt/sources.list.d/x.list", "deb " + url + "$(id)/x /\n", "cuda_repo_arch x"},
      {"/etc/apt/sources.list.d/x.list", "deb " + url, ""},
      {"/etc/apt/sources.list", "deb https://deb.example.org stable main\n", ""},
  };
  for (const Row& row : rows) {
    const RecordedMachine recorded(std::string("@@ file ") + row.path + "\n" + row.content);
    HostFacts facts;
    AddPackageSources(Machine(recorded.sources()), facts);
    std::vector<std::string> found;
    for (const Fact& fact : facts.facts()) {
      if (fact.name == "no_cuda_repo") continue;
      EXPECT_EQ(fact.at, row.path);
      found.push_back(fact.name + " " + fact.value);
    }
    EXPECT_EQ(absl::StrJoin(found, ","), row.facts) << row.content;
  }
}

TEST(PackageSourcesTest, SaysWhereAptHasNoneOfNvidia) {
  struct Row {
    std::string tree;
    bool says;
  };
  const Row rows[] = {
      {"@@ file /etc/apt/sources.list\ndeb https://deb.example.org stable main\n", true},
      {"@@ file /etc/apt/sources.list.d/local.list\ndeb file:///var/cuda-repo-debian12-13-0-local "
       "/\n",
       false},
      {"@@ file /etc/yum.repos.d/fedora.repo\n[fedora]\n", false},
  };
  for (const Row& row : rows) {
    const RecordedMachine recorded(row.tree);
    HostFacts facts;
    AddPackageSources(Machine(recorded.sources()), facts);
    EXPECT_EQ(!facts.facts().empty() && facts.facts().back().name == "no_cuda_repo", row.says)
        << row.tree;
  }
}

}  // namespace
}  // namespace cudadoctor

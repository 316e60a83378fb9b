#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "host/subjects.h"
#include "recorded_machine.h"

namespace cudadoctor {
namespace {

const std::string kSite = "/v/lib/python3.12/site-packages";

// The facts about torch, without their places.
std::string Torch(const std::string& tree) {
  const RecordedMachine recorded("@@ env VIRTUAL_ENV=/v\n@@ program /v/bin/python\n@@ folder " +
                                 kSite + "\n@@ file /v/pyvenv.cfg\nversion = 3.12.1\n" + tree);
  EXPECT_TRUE(recorded.mistakes().empty()) << tree;
  std::vector<std::string> found;
  for (const Fact& fact : ProbePython(Machine(recorded.sources()))) {
    if (fact.name.starts_with("torch") || fact.name == "rocm")
      found.push_back(fact.name + " " + fact.value);
  }
  return absl::StrJoin(found, ", ");
}

TEST(ProbePythonTest, TorchOfEveryAge) {
  struct Row {
    const char* source;
    const char* facts;
  };
  const Row rows[] = {
      {"__version__ = '1.10.0+cu113'\ndebug = False\ncuda = '11.3'\nhip = None\n",
       "torch_version 1.10.0+cu113, torch_cuda 11.3"},
      {"__version__ = '2.8.0+cpu'\ncuda: Optional[str] = None\nhip: Optional[str] = None\n",
       "torch_version 2.8.0+cpu"},
      {"__version__ = \"2.12.0\"\ncuda: str | None = \"13.0\"\n",
       "torch_version 2.12.0, torch_cuda 13.0"},
      {"__version__ = '2.5.1'\nhip: Optional[str] = '6.2.4'\n", "torch_version 2.5.1, rocm yes"},
      {"__version__ = '2.9.0a0+git1234567'\ncuda_home = '12.0'\n",
       "torch_version 2.9.0a0+git1234567"},
      {"__version__ = '$(id)'\ncuda = 'x'\n", ""},
      {"raise ImportError\n", ""},
      {"__version__", ""},
      {"__version__=\ncuda=\n", ""},
  };
  for (const Row& row : rows)
    EXPECT_EQ(Torch("@@ file " + kSite + "/torch/version.py\n" + row.source), row.facts)
        << row.source;
}

TEST(ProbePythonTest, ArchitecturesOfTorch) {
  struct Row {
    const char* constants;
    const char* archs;
  };
  const Row rows[] = {
      {"sm_80 sm_90a compute_120\n", "sm_80;sm_90a;compute_120"},
      {"before_sm_80 sm_90\n", "sm_80;sm_90"},
      {"no sm_ list, then sm_80 sm_90\n", "sm_80;sm_90"},
      {"sm_90\nsm_80 sm_90\nsm_75\n", "sm_80;sm_90"},
      {"sm_80 sm_90 and more\n", ""},
      {"sm_80; rm -rf /\n", ""},
      {"no list\n", ""},
      {"ends in sm_\n", ""},
  };
  for (const Row& row : rows) {
    const std::string found =
        Torch("@@ constants " + kSite + "/torch/lib/libtorch_python.so\n" + row.constants +
              "@@ file " + kSite + "/torch/version.py\n__version__ = '2.8.0'\n");
    EXPECT_EQ(found, std::string("torch_version 2.8.0") +
                         (*row.archs == '\0' ? "" : std::string(", torch_archs ") + row.archs))
        << row.constants;
  }
}

}  // namespace
}  // namespace cudadoctor

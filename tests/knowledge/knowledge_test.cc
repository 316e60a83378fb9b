#include "knowledge/knowledge.h"

#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "rules/rule_set.h"

namespace cudadoctor {
namespace {

const Knowledge& Tables() {
  static const RuleSet* const rules = RuleSet::Create().value().release();
  static const Knowledge* const knowledge =
      new Knowledge([](std::string_view name) { return rules->KnowledgeText(name); });
  return *knowledge;
}

std::string Ask(const Knowledge& knowledge, const std::string& question,
                const std::vector<std::string>& arguments) {
  EXPECT_TRUE(Knowledge::IsLookup(question)) << question;
  return knowledge.LookUp(question, arguments).value_or("nothing");
}

// What NVIDIA and PyTorch say, not what the tables happen to hold.
TEST(KnowledgeTest, AnswersFromTheTables) {
  struct Row {
    const char* question;
    std::vector<std::string> arguments;
    const char* expected;
  };
  const Row rows[] = {
      {"package-on-pypi", {"apex"}, "no"},
      {"package-on-pypi", {"flash_attn"}, "yes"},
      {"package-on-pypi", {"no-such-package"}, "nothing"},
      {"toolkit-compiles", {"12.8", "sm_120"}, "yes"},
      {"toolkit-compiles", {"12.8.93", "12.0"}, "yes"},
      {"toolkit-compiles", {"12.4", "sm_120"}, "no"},
      {"toolkit-compiles", {"13.0", "compute_70"}, "no"},
      {"toolkit-compiles", {"12.9", "7.0+PTX"}, "yes"},
      {"toolkit-compiles", {"12.0", "sm_90a"}, "yes"},
      {"toolkit-compiles", {"11.8", "sm_90"}, "yes"},
      {"toolkit-compiles", {"11.7", "sm_90"}, "no"},
      {"toolkit-compiles", {"99.9", "sm_90"}, "nothing"},
      {"toolkit-compiles", {"12.8", "native"}, "nothing"},
      {"toolkit-compiles", {"12.8"}, "nothing"},
      {"min-toolkit", {"sm_120"}, "12.8"},
      {"min-toolkit", {"9.0"}, "11.8"},
      {"min-toolkit", {"native"}, "nothing"},
      {"max-toolkit", {"7.0"}, "12.9"},
      {"max-toolkit", {"12.0"}, "nothing"},
      {"toolkit-max-gcc", {"12.8"}, "14"},
      {"toolkit-max-gcc", {"11.8"}, "11"},
      {"toolkit-max-gcc", {"12.4.131"}, "13"},
      {"toolkit-max-gcc", {"99.9"}, "nothing"},
      {"min-toolkit-for-gcc", {"14.2.0"}, "12.8"},
      {"min-toolkit-for-gcc", {"12"}, "12.0"},
      {"min-toolkit-for-gcc", {"99"}, "nothing"},
      {"gpu-capability", {"NVIDIA GeForce RTX 5090"}, "12.0"},
      {"gpu-capability", {"NVIDIA RTX PRO 6000 Blackwell Workstation Edition"}, "12.0"},
      {"gpu-capability", {"NVIDIA H100 80GB HBM3"}, "9.0"},
      {"gpu-capability", {"NVIDIA A100-SXM4-80GB"}, "8.0"},
      {"gpu-capability", {"NVIDIA GeForce RTX 4090"}, "8.9"},
      {"gpu-capability", {"Tesla V100-SXM2-16GB"}, "7.0"},
      {"gpu-capability", {"Tesla T4"}, "7.5"},
      {"gpu-capability", {"AMD Instinct MI300X"}, "nothing"},
      {"torch-has-arch", {"2.10.0+cu128", "12.0"}, "yes"},
      {"torch-has-arch", {"2.5.1+cu124", "12.0"}, "no"},
      {"torch-has-arch", {"2.5.1+cu124", "8.9"}, "yes"},
      {"torch-has-arch", {"2.5.1+cu124", "native"}, "nothing"},
      {"torch-has-arch", {"2.5.1+cpu", "9.0"}, "nothing"},
      {"torch-has-arch", {"0.4.0", "9.0"}, "nothing"},
      {"torch-cuda", {"2.10.0+cu128"}, "12.8"},
      {"torch-cuda", {"2.10.0+cu130"}, "13.0"},
      {"torch-cuda", {"1.8.0+cu92"}, "9.2"},
      {"torch-cuda", {"2.10.0+cpu"}, "nothing"},
      {"torch-cuda", {"2.10.0+rocm6.2"}, "nothing"},
      {"torch-cuda", {"2.10.0"}, "nothing"},
      {"torch-cuda-for-toolkit", {"2.10.0", "12.8"}, "12.8"},
      {"torch-cuda-for-toolkit", {"2.10.0", "12.9"}, "12.8"},
      {"torch-cuda-for-toolkit", {"2.5.1", "12.0"}, "12.1"},
      {"torch-cuda-for-toolkit", {"2.5.1", "13.0"}, "nothing"},
      {"torch-cuda-for-toolkit", {"0.4.0", "12.0"}, "nothing"},
      {"torch-companion", {"2.6.0+cu124", "torchvision"}, "0.21.0"},
      {"torch-companion", {"2.6.0", "torchaudio"}, "2.6.0"},
      {"torch-companion", {"0.4.0", "torchvision"}, "nothing"},
      {"min-torch-for-arch", {"12.0"}, "2.7"},
      {"min-torch-for-arch", {"native"}, "nothing"},
      {"torch-index-exists", {"12.8"}, "yes"},
      {"torch-index-exists", {"12.8.93"}, "yes"},
      {"torch-index-exists", {"12.7"}, "no"},
      {"package-of-module", {"flash_attn.ops"}, "flash-attn"},
      {"package-of-module", {"cv2"}, "opencv-python"},
      {"package-of-module", {"yaml"}, "PyYAML"},
      {"package-of-module", {"no_such_module"}, "no-such-module"},
      {"package-reads-arch-list", {"flash-attn"}, "no"},
      {"package-reads-arch-list", {"no-such-package"}, "nothing"},
      {"arch-variable", {"flash-attn"}, "FLASH_ATTN_CUDA_ARCHS"},
      {"arch-variable", {"Flash_Attn"}, "FLASH_ATTN_CUDA_ARCHS"},
      {"arch-variable", {"no-such-package"}, "nothing"},
      {"jobs-variable", {"flash-attn"}, "MAX_JOBS"},
      {"jobs-variable", {"no-such-package"}, "nothing"},
      {"header-package", {"Python.h", "apt"}, "python3-dev"},
      {"header-package", {"Python.h", "dnf"}, "python3-devel"},
      {"header-package", {"no-such.h", "apt"}, "nothing"},
      {"header-package", {"Python.h"}, "nothing"},
      {"library-package", {"GL", "apt"}, "libgl-dev"},
      {"library-package", {"nosuch", "apt"}, "nothing"},
      {"min-driver", {"12.8"}, "525.60.13"},
      {"min-driver", {"99.9"}, "nothing"},
      {"path-toolkit", {"/usr/local/cuda-12.4/bin/nvcc"}, "12.4"},
      {"path-toolkit", {"/usr/local/cuda-12.4"}, "12.4"},
      {"path-toolkit",
       {"C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA\\v12.8\\bin"},
       "12.8"},
      {"path-toolkit", {"/usr/local/cuda/bin"}, "nothing"},
      {"path-toolkit", {"/usr/lib/python3.12/x"}, "nothing"},
      {"arch-list-covers", {"8.0;9.0", "9.0"}, "yes"},
      {"arch-list-covers", {"8.0", "8.6"}, "yes"},
      {"arch-list-covers", {"8.6", "8.0"}, "no"},
      {"arch-list-covers", {"9.0", "12.0"}, "no"},
      {"arch-list-covers", {"9.0+PTX", "12.0"}, "yes"},
      {"arch-list-covers", {"9.0a", "9.0"}, "yes"},
      {"arch-list-covers", {"10.0a", "10.3"}, "no"},
      {"arch-list-covers", {"Blackwell", "12.0"}, "nothing"},
      {"arch-list-covers", {"8.0", "native"}, "nothing"},
  };
  for (const Row& row : rows) {
    std::string question = row.question;
    for (const std::string& argument : row.arguments) question += " '" + argument + "'";
    EXPECT_EQ(Ask(Tables(), row.question, row.arguments), row.expected) << question;
  }
}

TEST(KnowledgeTest, ACudaPartsPackageNamesTheToolkitsVersion) {
  const std::string package = Ask(Tables(), "header-package", {"cuda_runtime.h", "apt", "12.8.93"});
  EXPECT_NE(package.find("12-8"), std::string::npos) << package;
  EXPECT_EQ(Ask(Tables(), "header-package", {"cuda_runtime.h", "apt"}), "nothing");
}

TEST(KnowledgeTest, UnknownQuestionsAndNoArguments) {
  EXPECT_FALSE(Knowledge::IsLookup("no-such-question"));
  EXPECT_EQ(Tables().LookUp("no-such-question", {"x"}), std::nullopt);
  EXPECT_EQ(Tables().LookUp("min-toolkit", {}), std::nullopt);
}

TEST(KnowledgeTest, MemoryOfAJob) {
  const std::optional<JobMemory> memory = Tables().MemoryOfJob("flash_attn");
  ASSERT_TRUE(memory.has_value());
  EXPECT_GT(memory->gib_per_compiler, 2);
  EXPECT_LT(memory->gib_per_compiler, 10);
  EXPECT_EQ(memory->default_nvcc_threads, 4);
  EXPECT_EQ(memory->default_architectures, 4);
  EXPECT_FALSE(Tables().MemoryOfJob("no-such-package").has_value());
}

// A look-up never fails: what a table lacks, it does not know.
TEST(KnowledgeTest, MissingAndMalformedTablesKnowNothing) {
  static const char* const questions[] = {"toolkit-compiles",
                                          "min-toolkit",
                                          "max-toolkit",
                                          "toolkit-max-gcc",
                                          "min-toolkit-for-gcc",
                                          "gpu-capability",
                                          "torch-has-arch",
                                          "torch-companion",
                                          "min-torch-for-arch",
                                          "torch-index-exists",
                                          "package-reads-arch-list",
                                          "arch-variable",
                                          "jobs-variable",
                                          "header-package",
                                          "library-package",
                                          "min-driver"};
  for (
      const char* text :
      {"", "{", "[]", "7",
       R"({"toolkits": 7, "torch": {}, "packages": "x", "patterns": {}, "compute_capabilities": [], "pairs": 1, "headers": []})"}) {
    const Knowledge broken([text](std::string_view) -> std::string_view { return text; });
    for (const char* question : questions) {
      EXPECT_EQ(broken.LookUp(question, {"12.8", "12.0", "12.8"}).value_or("nothing"), "nothing")
          << question << " of " << text;
    }
    EXPECT_FALSE(broken.MemoryOfJob("x").has_value()) << text;
  }
}

TEST(KnowledgeTest, ThreadsShareOne) {
  std::vector<std::string> answers(4);
  std::vector<std::thread> threads;
  const RuleSet* const rules = RuleSet::Create().value().release();
  const Knowledge knowledge([rules](std::string_view name) { return rules->KnowledgeText(name); });
  for (std::string& answer : answers)
    threads.emplace_back(
        [&] { answer = knowledge.LookUp("min-toolkit", {"12.0"}).value_or("nothing"); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(answers, std::vector<std::string>(4, "12.8"));
  delete rules;
}

TEST(KnowledgeTest, BuildVariablesAreThoseOfPackages) {
  for (const char* name : {"MAX_JOBS", "FLASH_ATTN_CUDA_ARCHS", "NVTE_CUDA_ARCHS"})
    EXPECT_TRUE(Tables().IsBuildVariable(name)) << name;
  for (const char* name : {"LD_PRELOAD", "FLASH_ATTENTION_SKIP_CUDA_BUILD", ""})
    EXPECT_FALSE(Tables().IsBuildVariable(name)) << name;
}

}  // namespace
}  // namespace cudadoctor

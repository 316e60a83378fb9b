#include "engine/preflight.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "report/names.h"

namespace cudadoctor {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const RuleSet& Rules() {
  static const RuleSet* const rules = RuleSet::Create().value().release();
  return *rules;
}

ValueType TypeOf(const std::string& fact) {
  static const std::map<std::string, ValueType> types = {
      {"os", ValueType::kWord},
      {"kernel_version", ValueType::kWord},
      {"machine", ValueType::kWord},
      {"tool", ValueType::kWord},
      {"cpu_count", ValueType::kInteger},
      {"memory_free", ValueType::kSize},
      {"memory_limit", ValueType::kSize},
      {"disk_free", ValueType::kSize},
      {"toolkit_path", ValueType::kPath},
      {"gpu_name", ValueType::kGpuName},
      {"installed_module", ValueType::kRequirement},
      {"no_gpu", ValueType::kFlag},
      {"cuda_home_without_nvcc", ValueType::kPath},
      {"rocm", ValueType::kFlag},
      {"docker", ValueType::kFlag},
      {"arch_list", ValueType::kArchList},
      {"package", ValueType::kPackage},
      {"command", ValueType::kCommand}};
  const auto found = types.find(fact);
  return found == types.end() ? ValueType::kVersion : found->second;
}

// "os=linux toolkit_cuda=12.8@/usr/local/cuda/bin/nvcc"; "%" stands for a blank, sizes are in GiB.
std::vector<Fact> FactsOf(const std::string& text) {
  std::vector<Fact> facts;
  for (const absl::string_view entry : absl::StrSplit(text, ' ', absl::SkipEmpty())) {
    const std::pair<std::string, std::string> parts =
        absl::StrSplit(entry, absl::MaxSplits('=', 1));
    const std::pair<std::string, std::string> value =
        absl::StrSplit(parts.second, absl::MaxSplits('@', 1));
    const ValueType type = TypeOf(parts.first);
    std::string raw = value.first;
    std::replace(raw.begin(), raw.end(), '%', ' ');
    if (type == ValueType::kSize) raw += " GiB";
    const std::optional<std::string> normal = Normalize(type, raw);
    EXPECT_TRUE(normal.has_value()) << entry;
    facts.push_back({parts.first, type, normal.value_or(""), Origin::kHost, 0, 0, value.second});
  }
  return facts;
}

PackageCheck Check(const std::string& facts, const std::string& package, bool no_isolation = true,
                   const std::map<std::string, std::string>& variables = {}) {
  absl::StatusOr<Requirement> requirement = ParseRequirement(package);
  EXPECT_TRUE(requirement.ok()) << requirement.status();
  const PreflightInput input{
      .host_facts = FactsOf(facts),
      .requirement = *requirement,
      .no_build_isolation = no_isolation,
      .variable = [&variables](std::string_view name) -> std::optional<std::string> {
        const auto found = variables.find(std::string(name));
        return found == variables.end() ? std::nullopt : std::optional(found->second);
      }};
  const absl::StatusOr<PackageCheck> check = Preflight(Rules(), input);
  EXPECT_TRUE(check.ok()) << check.status();
  return check.ok() ? *check : PackageCheck();
}

// "root certain cuda-version-mismatch, latent likely driver-too-old".
std::string Causes(const PackageCheck& check) {
  std::vector<std::string> causes;
  for (const Diagnosis& diagnosis : check.diagnoses)
    causes.push_back(
        absl::StrCat(Name(diagnosis.role), " ", Name(diagnosis.confidence), " ", diagnosis.cause));
  return absl::StrJoin(causes, ", ");
}

// What a probe says of a machine on which flash-attn compiles, but for the parts that rows add.
constexpr char kLinux[] =
    "os=linux kernel_version=6.1.0 machine=x86_64 cpu_count=8 memory_free=200 ";
constexpr char kModules[] =
    "python_version=3.12.3 installed_module=setuptools==80.9.0 installed_module=wheel==0.45 "
    "installed_module=packaging==25.0 installed_module=ninja==1.13 installed_module=psutil==7.0 "
    "installed_module=pip==25.3 ";
constexpr char kHopper[] = "gpu_name=NVIDIA%H100%PCIe gpu_capability=9.0 gcc_version=12.2.0 ";

TEST(PreflightTest, MachinesAndPackages) {
  const std::string base = absl::StrCat(kLinux, kModules, kHopper);
  struct Row {
    const char* name;
    std::string facts;
    const char* package;
    const char* causes;
  };
  const Row rows[] = {
      {"all fits, compiled", base + "torch_version=2.11.0+cu128 toolkit_cuda=12.8",
       "flash-attn==2.8.3", "latent certain prebuilt-wheel-missing"},
      {"all fits, a wheel", base + "torch_version=2.8.0+cu128 toolkit_cuda=12.8",
       "flash-attn==2.8.3", ""},
      {"another major, compiled", base + "torch_version=2.11.0+cu128 toolkit_cuda=13.0",
       "flash-attn==2.8.3",
       "root certain cuda-version-mismatch, latent certain prebuilt-wheel-missing"},
      {"another major, a wheel spares it", base + "torch_version=2.8.0+cu128 toolkit_cuda=13.0",
       "flash-attn==2.8.3", "latent likely cuda-version-mismatch"},
      {"another major, perhaps a wheel", base + "torch_version=2.8.0+cu128 toolkit_cuda=13.0",
       "causal-conv1d==1.5.2", "root likely cuda-version-mismatch"},
      {"another minor is nothing", base + "torch_version=2.11.0+cu128 toolkit_cuda=12.6",
       "torch-scatter", ""},
      {"another minor stops apex", base + "torch_version=2.8.0+cu128 toolkit_cuda=12.6", "apex",
       "root certain cuda-version-mismatch"},
      {"the fitting toolkit is there, not chosen",
       base + "torch_version=2.11.0+cu128 toolkit_cuda=13.0 "
              "installed_toolkit=12.8@/usr/local/cuda-12.8",
       "torch-scatter", "root likely wrong-toolkit-selected"},
      {"no toolkit", base + "torch_version=2.11.0+cu130 cmake_path=4.1", "natten",
       "root likely cuda-toolkit-missing"},
      {"no toolkit, the package does without", base + "torch_version=2.11.0+cu130", "torch-scatter",
       "latent likely cuda-toolkit-missing"},
      {"CUDA_HOME misleads, a wheel does not help",
       base + "torch_version=2.8.0+cu128 cuda_home_without_nvcc=/opt/cuda", "flash-attn==2.8.3",
       "root certain cuda-toolkit-missing"},
      {"no toolkit, nothing is compiled", base + "torch_version=2.11.0+cu130", "xformers", ""},
      {"toolkit too old for the package",
       absl::StrCat(kLinux, kModules, "gpu_capability=9.0 gcc_version=11.4 ",
                    "torch_version=2.1.0+cu118 toolkit_cuda=11.8"),
       "deep_gemm", "root certain cuda-toolkit-too-old"},
      {"CPU build of torch", base + "torch_version=2.8.0+cpu toolkit_cuda=12.8", "mamba-ssm",
       "root likely torch-without-cuda"},
      {"CPU build of torch, the package does without",
       base + "torch_version=2.8.0+cpu toolkit_cuda=12.8", "torch-scatter",
       "latent likely torch-without-cuda"},
      {"no torch", base + "toolkit_cuda=12.8", "mamba-ssm",
       "root certain build-dependency-missing"},
      {"gcc too new",
       absl::StrCat(kLinux, kModules, "gpu_capability=9.0 gcc_version=15.1.0 ",
                    "torch_version=2.11.0+cu128 toolkit_cuda=12.8"),
       "torch-scatter", "root likely host-compiler-too-new"},
      {"Ubuntu 22.04's own nvcc and gcc",
       absl::StrCat(kLinux, kModules, "gpu_capability=8.6 gcc_version=11.4.0 ",
                    "torch_version=1.12.1+cu113 toolkit_cuda=11.5"),
       "fused-ssim", "root likely host-compiler-too-new"},
      {"gcc too old",
       absl::StrCat(kLinux, kModules, "gpu_capability=9.0 gcc_version=8.5.0 ",
                    "torch_version=2.11.0+cu128 toolkit_cuda=12.8"),
       "torch-scatter", "root likely host-compiler-too-old"},
      {"no compiler",
       absl::StrCat(kLinux, kModules, "gpu_capability=9.0 torch_version=2.11.0+cu128 ",
                    "toolkit_cuda=12.8"),
       "torch-scatter", "root likely host-compiler-missing"},
      {"nvcc too old for the GPU",
       absl::StrCat(kLinux, kModules, "gpu_capability=12.0 gcc_version=12.2.0 ",
                    "torch_version=2.11.0+cu128 toolkit_cuda=12.4"),
       "torch-scatter", "root likely cuda-arch-unsupported"},
      {"torch without code for the GPU",
       absl::StrCat(kLinux, kModules, "gpu_name=NVIDIA%GeForce%RTX%5090 gpu_capability=12.0 ",
                    "gcc_version=12.2.0 torch_version=2.5.1+cu124 toolkit_cuda=12.4"),
       "torch-scatter", "root likely gpu-arch-not-in-binary"},
      {"GPU too old for the package",
       absl::StrCat(kLinux, kModules, "gpu_name=Tesla%T4 gpu_capability=7.5 gcc_version=12.2.0 ",
                    "torch_version=2.8.0+cu128 toolkit_cuda=12.8"),
       "flash-attn==2.8.3", "root likely gpu-arch-too-old-for-source"},
      {"no GPU while building",
       absl::StrCat(kLinux, kModules, "no_gpu=yes gcc_version=12.2.0 ",
                    "torch_version=2.8.0+cu128 toolkit_cuda=12.8"),
       "fused-ssim", "root likely gpu-not-visible-at-build"},
      {"C++17 against headers of C++20", base + "torch_version=2.14.0+cu130 toolkit_cuda=13.0",
       "flash-attn==2.8.3",
       "root likely cxx-standard-too-low, latent certain prebuilt-wheel-missing"},
      {"driver too old to run torch",
       base + "torch_version=2.8.0+cu128 toolkit_cuda=12.8 driver_version=470.82.01",
       "flash-attn==2.8.3", "latent likely driver-too-old"},
      {"pinned torch", base + "torch_version=2.8.0+cu128", "xformers==0.0.30",
       "latent certain torch-replaced"},
      {"disk", base + "torch_version=2.8.0+cu128 toolkit_cuda=12.8 disk_free=0.3@/tmp",
       "flash-attn==2.8.3", "root likely disk-full"},
      {"ROCm", base + "torch_version=2.8.0+rocm6.4 rocm=yes", "flash-attn==2.8.3", ""},
      {"not in the tables", base + "torch_version=2.11.0+cu128 toolkit_cuda=13.0", "my-cuda-ext",
       "root possible cuda-version-mismatch"},
      {"pure Python", base + "torch_version=2.11.0+cu128 toolkit_cuda=13.0", "torch-geometric", ""},
  };
  for (const Row& row : rows) {
    const PackageCheck check = Check(row.facts, row.package);
    EXPECT_EQ(Causes(check), row.causes) << row.name << "; way: " << check.way_says;
    for (const Diagnosis& diagnosis : check.diagnoses) {
      EXPECT_FALSE(diagnosis.title.empty()) << row.name;
      EXPECT_THAT(diagnosis.title, Not(HasSubstr("{"))) << row.name;
      ASSERT_FALSE(diagnosis.evidence.empty()) << row.name;
      EXPECT_EQ(diagnosis.evidence[0].line, 0) << row.name;
      if (diagnosis.role == Role::kRoot) {
        EXPECT_FALSE(diagnosis.remedies.empty()) << row.name << " " << diagnosis.cause;
      }
    }
  }
}

TEST(PreflightTest, IsolationDependsOnToolVersionAndPackage) {
  struct Row {
    const char* name;
    const char* facts;
    const char* package;
    bool no_isolation;
    const char* causes;
  };
  const std::string old_pip =
      "python_version=3.12 torch_version=2.8.0+cu128 pip_version=24.0 "
      "installed_module=setuptools==80 installed_module=wheel==0.45 "
      "installed_module=packaging==25 installed_module=psutil==7 "
      "installed_module=ninja==1.13 toolkit_cuda=12.8";
  const Row rows[] = {
      {"uv", "tool=uv torch_version=2.8.0+cu128", "flash-attn", false,
       "root certain build-isolation"},
      {"new pip", "pip_version=25.3 torch_version=2.8.0+cu128", "flash-attn", false,
       "root certain build-isolation"},
      {"old pip runs setup.py where there is no pyproject.toml", old_pip.c_str(), "flash-attn",
       false, ""},
      {"old pip without wheel isolates all the same",
       "pip_version=23.2 torch_version=2.8.0+cu128 installed_module=setuptools==65", "flash-attn",
       false, "root certain build-isolation"},
      {"old pip, unknown whether there is one", "pip_version=24.0 torch_version=2.8.0+cu128",
       "fused-ssim", false, "root likely build-isolation"},
      {"an isolated build with a torch of its own", "tool=uv torch_version=2.8.0+cu128",
       "mamba-ssm", false, "root likely extension-abi-mismatch"},
      {"an isolated build, no torch here", "tool=uv", "mamba-ssm", false, ""},
      {"pip of unknown version", "torch_version=2.8.0+cu128", "flash-attn", false,
       "root likely build-isolation"},
      {"switched off", "tool=uv torch_version=2.8.0+cu128", "flash-attn", true, ""},
      {"a wheel of PyPI", "tool=uv torch_version=2.8.0+cu128", "vllm", false, ""},
      {"setup.py without torch", "tool=uv torch_version=2.8.0+cu128", "llama-cpp-python", false,
       ""},
  };
  for (const Row& row : rows)
    EXPECT_EQ(Causes(Check(row.facts, row.package, row.no_isolation)), row.causes) << row.name;
  const PackageCheck check = Check("tool=uv torch_version=2.8.0+cu128", "flash-attn==2.8.3", false);
  ASSERT_FALSE(check.diagnoses.empty());
  EXPECT_THAT(check.diagnoses[0].remedies[0].steps,
              Contains(::testing::Field(&Step::run,
                                        "uv pip install flash-attn==2.8.3 --no-build-isolation")));
  EXPECT_THAT(check.command, HasSubstr("uv pip install flash-attn==2.8.3 --no-build-isolation"));
}

TEST(PreflightTest, MissingModulesAreNamed) {
  const std::string torch =
      "torch_version=2.8.0+cu128 toolkit_cuda=12.8 python_version=3.12 "
      "installed_module=setuptools==80 ";
  PackageCheck check = Check(torch, "flash-attn==2.8.3");
  ASSERT_EQ(Causes(check), "root certain build-dependency-missing");
  EXPECT_EQ(check.diagnoses[0].evidence[0].text,
            "not in this environment: psutil, packaging, ninja, wheel");
  EXPECT_EQ(check.diagnoses[0].remedies[0].steps[0].run,
            "pip install psutil setuptools wheel packaging ninja");
  // An environment of a whole machine that lists no module has none.
  check = Check(
      "os=linux kernel_version=6.1.0 python_version=3.12 toolkit_cuda=12.8 gcc_version=12 "
      "gpu_capability=9.0 ninja_path=1",
      "mamba-ssm");
  ASSERT_EQ(Causes(check), "root certain build-dependency-missing");
  EXPECT_EQ(check.diagnoses[0].evidence[0].text,
            "not in this environment: torch, packaging, setuptools, wheel");
  // psutil only chooses the number of jobs; without ninja it is slow, and with the system's it is
  // not.
  const std::string rest = torch + "installed_module=packaging==25 installed_module=wheel==0.45 ";
  check = Check(rest, "flash-attn==2.8.3", true, {{"MAX_JOBS", "2"}});
  ASSERT_EQ(Causes(check), "latent certain build-dependency-missing");
  EXPECT_EQ(check.diagnoses[0].title,
            "ninja is not installed: the files are compiled one at a time, for hours");
  EXPECT_EQ(Causes(Check(rest + "ninja_path=1", "flash-attn==2.8.3", true, {{"MAX_JOBS", "2"}})),
            "");
}

TEST(PreflightTest, MemoryAndJobs) {
  const std::string base =
      absl::StrCat(kModules, kHopper, "os=linux kernel_version=6.1.0 machine=x86_64 ",
                   "torch_version=2.11.0+cu128 toolkit_cuda=12.8 ");
  // The build's own number: 16 processors / 2, 64 GiB / 9; one job takes 1.7 + 4 × 5 GiB.
  PackageCheck check = Check(base + "cpu_count=16 memory_free=64", "flash-attn==2.8.3");
  ASSERT_EQ(Causes(check),
            "root likely build-out-of-memory, latent certain prebuilt-wheel-missing");
  EXPECT_EQ(
      check.diagnoses[0].title,
      "out of memory is likely: 7 jobs at once (the build's own number), the memory is enough "
      "for 2");
  EXPECT_EQ(check.command,
            "FLASH_ATTN_CUDA_ARCHS=90 MAX_JOBS=8 pip install flash-attn==2.8.3 "
            "--no-build-isolation");
  EXPECT_THAT(check.command_why, HasSubstr("8 = 0.9 × 64 GiB free ÷ 6.7 GiB"));
  struct Row {
    const char* facts;
    const char* max_jobs;
    const char* cause;
  };
  const Row rows[] = {
      {"cpu_count=16 memory_free=64", "2", ""},
      {"cpu_count=16 memory_free=64", "4", "root likely build-out-of-memory, "},
      {"cpu_count=16 memory_free=500 memory_limit=16", "1", "root likely build-out-of-memory, "},
      {"cpu_count=2 memory_free=64", "", ""},
      {"cpu_count=16", "16", ""},
  };
  for (const Row& row : rows) {
    check = Check(base + row.facts, "flash-attn==2.8.3", true, {{"MAX_JOBS", row.max_jobs}});
    EXPECT_EQ(Causes(check), absl::StrCat(row.cause, "latent certain prebuilt-wheel-missing"))
        << row.facts << " MAX_JOBS=" << row.max_jobs;
  }
  EXPECT_THAT(Check(base + "cpu_count=16", "flash-attn==2.8.3").unchecked,
              Contains("no fact tells the free memory: memory not checked"));
  EXPECT_THAT(
      Check(base + "cpu_count=16 memory_free=64", "mamba-ssm").unchecked,
      Contains("how much memory a job of mamba-ssm needs is not known: memory not checked"));
}

TEST(PreflightTest, TheEnvironmentDecidesArchitecturesAndCompiler) {
  const std::string base =
      absl::StrCat(kLinux, kModules, kHopper, "torch_version=2.11.0+cu128 toolkit_cuda=12.8 ");
  struct Row {
    const char* name;
    const char* value;
    const char* package;
    const char* causes;
  };
  const Row rows[] = {
      {"TORCH_CUDA_ARCH_LIST", "9.0", "torch-scatter", ""},
      {"TORCH_CUDA_ARCH_LIST", "8.0;8.6", "torch-scatter", "latent certain gpu-arch-not-in-binary"},
      {"TORCH_CUDA_ARCH_LIST", "3.5;9.0", "torch-scatter", "root likely cuda-arch-unsupported"},
      {"TORCH_CUDA_ARCH_LIST", "Hopper", "torch-scatter", ""},
      {"TORCH_CUDA_ARCH_LIST", "8.0;8.6", "causal-conv1d", ""},
      {"FLASH_ATTENTION_FORCE_BUILD", "TRUE", "flash-attn==2.8.3", ""},
      {"CAUSAL_CONV1D_FORCE_BUILD", "TRUE", "causal-conv1d", ""},
      {"DS_BUILD_OPS", "0", "deepspeed", ""},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Causes(Check(base, row.package, true, {{row.name, row.value}})), row.causes)
        << row.name << "=" << row.value << " " << row.package;
  }
  EXPECT_THAT(
      Check(base, "flash-attn==2.8.3", true, {{"TORCH_CUDA_ARCH_LIST", "8.0"}}).unchecked,
      Contains(
          "flash-attn does not read TORCH_CUDA_ARCH_LIST; its variable is FLASH_ATTN_CUDA_ARCHS"));
  const std::string newest = absl::StrCat(kLinux, kModules, "gpu_capability=9.0 gcc_version=15.1 ",
                                          "torch_version=2.11.0+cu128 toolkit_cuda=12.8");
  const PackageCheck check = Check(newest, "torch-scatter", true, {{"CXX", "g++-13"}});
  EXPECT_EQ(Causes(check), "");
  EXPECT_THAT(check.unchecked, Contains("CXX may choose another host compiler: not checked"));
}

TEST(PreflightTest, DeepspeedCompilesWhenTold) {
  const std::string mismatch =
      absl::StrCat(kLinux, kModules, kHopper, "torch_version=2.8.0+cu128 toolkit_cuda=13.0");
  EXPECT_EQ(Causes(Check(mismatch, "deepspeed")), "latent likely cuda-version-mismatch");
  EXPECT_EQ(Causes(Check(mismatch, "deepspeed", true, {{"DS_BUILD_OPS", "1"}})),
            "root certain cuda-version-mismatch");
}

// What nobody tells is not guessed.
TEST(PreflightTest, FewFactsGiveFewAnswers) {
  const PackageCheck check = Check("", "mamba-ssm");
  EXPECT_THAT(check.diagnoses, IsEmpty());
  EXPECT_FALSE(check.would_stop());
  EXPECT_THAT(check.unchecked,
              ::testing::ElementsAre(
                  "no fact tells whether PyTorch is installed",
                  "no fact tells which modules are installed: build modules not checked",
                  "no fact tells the CUDA toolkit: its version was not checked",
                  "no fact tells the version of gcc: the host compiler was not checked",
                  "how much memory a job of mamba-ssm needs is not known: memory not checked"));
  EXPECT_EQ(check.command, "pip install mamba-ssm --no-build-isolation");
}

TEST(PreflightTest, TheCommandHoldsEveryRemedy) {
  const std::string facts = absl::StrCat(
      "os=linux kernel_version=6.1.0 machine=x86_64 cpu_count=16 memory_free=64 tool=uv ", kModules,
      "gpu_name=NVIDIA%H100%PCIe gpu_capability=9.0 gcc_version=15.2.0 ",
      "torch_version=2.11.0+cu128 toolkit_cuda=13.0@/usr/local/cuda-13.0/bin/nvcc");
  const PackageCheck check = Check(facts, "flash-attn==2.8.3", false);
  EXPECT_EQ(Causes(check),
            "root certain build-isolation, root certain cuda-version-mismatch, root certain "
            "host-compiler-too-new, root likely build-out-of-memory, latent certain "
            "prebuilt-wheel-missing");
  // The toolkit that the second remedy installs takes gcc 14 at most.
  EXPECT_EQ(check.diagnoses[2].title,
            "gcc 15.2.0 is too new for CUDA 12.8, which takes gcc 14 at most");
  EXPECT_EQ(check.diagnoses[2].evidence[1].text, "the build needs CUDA 12.8, torch's");
  EXPECT_EQ(check.diagnoses[1].evidence[0].text, "nvcc 13.0 in /usr/local/cuda-13.0/bin/nvcc");
  EXPECT_EQ(check.command,
            "CUDA_HOME=/usr/local/cuda-12.8 PATH=/usr/local/cuda-12.8/bin:$PATH "
            "CC=gcc-14 CXX=g++-14 CUDAHOSTCXX=g++-14 NVCC_APPEND_FLAGS=-ccbin=g++-14 "
            "FLASH_ATTN_CUDA_ARCHS=90 MAX_JOBS=8 uv pip install flash-attn==2.8.3 "
            "--no-build-isolation");
  EXPECT_EQ(Check(facts, "apex", true).command,
            "CUDA_HOME=/usr/local/cuda-12.8 PATH=/usr/local/cuda-12.8/bin:$PATH "
            "CC=gcc-14 CXX=g++-14 CUDAHOSTCXX=g++-14 NVCC_APPEND_FLAGS=-ccbin=g++-14 "
            "TORCH_CUDA_ARCH_LIST=9.0 uv pip install git+https://github.com/NVIDIA/apex "
            "--no-build-isolation");
}

// A description may hold anything: what the user asked for wins.
TEST(PreflightTest, AMachineStatesNoPackage) {
  const PackageCheck check =
      Check("package=evil command=pip%install%evil torch_version=2.8.0+cu128", "flash-attn");
  EXPECT_THAT(check.command, HasSubstr("flash-attn"));
  EXPECT_THAT(check.command, Not(HasSubstr("evil")));
}

}  // namespace
}  // namespace cudadoctor

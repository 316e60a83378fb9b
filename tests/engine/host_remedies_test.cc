// What the facts of a machine make of an answer: the commands of the preferred remedy.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "engine/session.h"
#include "gtest/gtest.h"
#include "rules/rule_set.h"

namespace cudadoctor {
namespace {

Fact Of(const std::string& name, ValueType type, const std::string& value,
        const std::string& at = "") {
  return {name, type, value, Origin::kHost, 0, 0, at};
}

std::vector<Fact> operator+(std::vector<Fact> facts, const std::vector<Fact>& more) {
  facts.insert(facts.end(), more.begin(), more.end());
  return facts;
}

const std::vector<Fact> kUbuntu = {Of("os", ValueType::kWord, "linux"),
                                   Of("distro", ValueType::kWord, "ubuntu"),
                                   Of("package_manager", ValueType::kWord, "apt"),
                                   Of("leftover_processes", ValueType::kText, "none")};
const std::vector<Fact> kToolkits = {
    Of("toolkit_cuda", ValueType::kVersion, "13.0", "/usr/local/cuda/bin/nvcc"),
    Of("installed_toolkit", ValueType::kVersion, "13.0", "/usr/local/cuda-13.0"),
    Of("installed_toolkit", ValueType::kVersion, "12.8", "/usr/local/cuda-12.8")};
const std::vector<Fact> kMemory = {Of("memory_free", ValueType::kSize, "30.0"),
                                   Of("cpu_count", ValueType::kInteger, "16")};
const std::vector<Fact> kTwoGpus = {
    Of("gpu_name", ValueType::kGpuName, "NVIDIA GeForce RTX 3060", "GPU 0"),
    Of("gpu_capability", ValueType::kVersion, "8.6", "GPU 0"),
    Of("gpu_name", ValueType::kGpuName, "NVIDIA GeForce RTX 4090", "GPU 1"),
    Of("gpu_capability", ValueType::kVersion, "8.9", "GPU 1")};
const std::vector<Fact> kLeftovers = {
    Of("leftover_processes", ValueType::kText, "cicc 2002 3.5 GiB"),
    Of("leftover_pids", ValueType::kText, "2002"), Of("leftover_memory", ValueType::kSize, "3.5")};
const std::vector<Fact> kUv = {Of("tool", ValueType::kWord, "uv")};
const std::vector<Fact> kRoot = {Of("root_user", ValueType::kFlag, "yes")};
const std::vector<Fact> kRocm = {Of("torch_version", ValueType::kVersion, "2.8.0+rocm6.4"),
                                 Of("rocm", ValueType::kFlag, "yes")};
const std::vector<Fact> kGccs = {Of("installed_gcc", ValueType::kVersion, "12", "/usr/bin/g++-12"),
                                 Of("installed_gcc", ValueType::kVersion, "13", "/usr/bin/g++-13"),
                                 Of("installed_gcc", ValueType::kVersion, "14", "/usr/bin/g++-14")};
const std::vector<Fact> kDisks = {Of("disk_free", ValueType::kSize, "0.4", "/tmp"),
                                  Of("disk_free", ValueType::kSize, "200", "/data/project")};

constexpr const char* kMismatch =
    "$ pip install flash-attn==2.8.3 --no-build-isolation\n"
    "RuntimeError: ('The detected CUDA version (%s) mismatches the version that was used to "
    "compile PyTorch (%s). Please make sure to use the same CUDA versions.', '13.0', '12.8')\n";
constexpr const char* kOutOfMemory =
    "$ pip install flash-attn==2.8.3 --no-build-isolation\n"
    "nvcc error   : 'cicc' died due to signal 9 (Kill signal)\n"
    "ERROR: Failed building wheel for flash-attn\n";
constexpr const char* kGccTooNew =
    "$ pip install --no-build-isolation .\n"
    "/usr/include/crt/host_config.h:143:2: error: #error -- unsupported GNU version! gcc versions "
    "later than 13 are not supported!\n";

constexpr const char* kGccMissing =
    "$ pip install .\n"
    "error: command 'gcc' failed: No such file or directory\n"
    "ERROR: Failed building wheel for x\n";

struct Answer {
  std::string title;
  std::string commands;  // of the preferred remedy
  std::string notes;
};

Answer Diagnose(const std::string& log, const std::vector<Fact>& host) {
  const absl::StatusOr<std::unique_ptr<RuleSet>> rules = RuleSet::Create();
  if (!rules.ok()) return {rules.status().ToString(), "", ""};
  SessionOptions options;
  options.input_name = "log";
  options.host_facts = [&host] { return host; };
  const absl::StatusOr<std::unique_ptr<Session>> session = Session::Create(**rules, options);
  if (!session.ok()) return {session.status().ToString(), "", ""};
  const absl::Status fed = (*session)->Feed(log);
  const absl::StatusOr<Report> report = (*session)->Finish(std::nullopt);
  if (!fed.ok() || !report.ok() || report->diagnoses.empty()) return {"no diagnosis", "", ""};
  Answer answer;
  answer.title = report->diagnoses.front().title;
  if (report->diagnoses.front().remedies.empty()) return answer;
  std::vector<std::string> commands, notes;
  for (const Step& step : report->diagnoses.front().remedies.front().steps) {
    if (!step.run.empty()) commands.push_back(step.run);
    if (!step.note.empty()) notes.push_back(step.note);
  }
  answer.commands = absl::StrJoin(commands, "\n");
  answer.notes = absl::StrJoin(notes, "\n");
  return answer;
}

TEST(HostRemediesTest, CommandsOfThePreferredRemedy) {
  const struct {
    const char* name;
    const char* log;
    std::vector<Fact> host;
    const char* expected;
  } rows[] = {
      {"mismatch, the right toolkit is installed", kMismatch, kUbuntu + kToolkits,
       "CUDA_HOME=/usr/local/cuda-12.8 PATH=/usr/local/cuda-12.8/bin:$PATH pip install "
       "flash-attn==2.8.3 --no-build-isolation"},
      {"mismatch, root has no sudo", kMismatch, kUbuntu + kRoot,
       "apt-get install -y cuda-toolkit-12-8\n"
       "CUDA_HOME=/usr/local/cuda-12.8 PATH=/usr/local/cuda-12.8/bin:$PATH pip install "
       "flash-attn==2.8.3 --no-build-isolation"},
      {"mismatch: the ROCm PyTorch here is not the log's", kMismatch, kUbuntu + kToolkits + kRocm,
       "CUDA_HOME=/usr/local/cuda-12.8 PATH=/usr/local/cuda-12.8/bin:$PATH pip install "
       "flash-attn==2.8.3 --no-build-isolation"},
      {"out of memory, for both GPUs", kOutOfMemory, kUbuntu + kMemory + kTwoGpus,
       "FLASH_ATTN_CUDA_ARCHS='86;89' MAX_JOBS=2 pip install flash-attn==2.8.3 "
       "--no-build-isolation"},
      {"out of memory, one command where nothing is known of a job",
       "$ pip install --no-build-isolation .\n"
       "nvcc error   : 'cicc' died due to signal 9 (Kill signal)\n",
       kUbuntu + kMemory + kTwoGpus,
       "TORCH_CUDA_ARCH_LIST='8.6;8.9' MAX_JOBS=2 NVCC_THREADS=1 pip install "
       "--no-build-isolation ."},
      {"an older gcc is installed", kGccTooNew, kUbuntu + kGccs,
       "CC=/usr/bin/gcc-13 CXX=/usr/bin/g++-13 CUDAHOSTCXX=/usr/bin/g++-13 "
       "NVCC_APPEND_FLAGS=-ccbin=/usr/bin/g++-13 pip install --no-build-isolation ."},
      {"a folder with room",
       "$ pip install --no-build-isolation .\n"
       "/tmp/tmpxft_1.ii: error: No space left on device\n",
       kUbuntu + kDisks, "TMPDIR=/data/project pip install --no-build-isolation ."},
      {"uv's environment is no tool of make",
       "$ make -j2\n"
       "nvcc error   : 'cicc' died due to signal 9 (Kill signal)\n",
       kUbuntu + kMemory + kUv, "make -j1"},
      {"no NVIDIA repository", kMismatch,
       kUbuntu + std::vector<Fact>{Of("distro_version", ValueType::kVersion, "24.04"),
                                   Of("machine", ValueType::kWord, "x86_64"),
                                   Of("no_cuda_repo", ValueType::kFlag, "yes")},
       "wget https://developer.download.nvidia.com/compute/cuda/repos/ubuntu2404/x86_64/"
       "cuda-keyring_1.1-1_all.deb\n"
       "sudo dpkg -i cuda-keyring_1.1-1_all.deb\n"
       "sudo apt-get update\n"
       "sudo apt-get install -y cuda-toolkit-12-8\n"
       "CUDA_HOME=/usr/local/cuda-12.8 PATH=/usr/local/cuda-12.8/bin:$PATH pip install "
       "flash-attn==2.8.3 --no-build-isolation"},
      {"an image without package lists", kGccMissing,
       kUbuntu + kRoot + std::vector<Fact>{Of("apt_lists_missing", ValueType::kFlag, "yes")},
       "apt-get update\napt-get install -y build-essential python3-dev\npip install ."},
      {"neither root nor sudo", kGccMissing,
       kUbuntu + std::vector<Fact>{Of("no_sudo", ValueType::kFlag, "yes")}, ""},
      {"fish", "$ pip install humanize\nerror: externally-managed-environment\n",
       kUbuntu + std::vector<Fact>{Of("shell", ValueType::kWord, "fish")},
       "sudo apt-get install -y python3-venv\npython3 -m venv .venv\n"
       ". .venv/bin/activate.fish\npip install humanize"},
  };
  for (const auto& row : rows)
    EXPECT_EQ(Diagnose(row.log, row.host).commands, row.expected) << row.name;
}

TEST(HostRemediesTest, NamesLeftovers) {
  const Answer answer = Diagnose(kOutOfMemory, kUbuntu + kMemory + kLeftovers);
  EXPECT_NE(answer.notes.find("cicc 2002 3.5 GiB"), std::string::npos) << answer.notes;
  EXPECT_EQ(answer.commands.find("pgrep"), std::string::npos) << answer.commands;
}

TEST(HostRemediesTest, ATitleDoesNotNameWhatTheLogContradicts) {
  // CUDA 13.0 takes gcc 15: it is not the CUDA that refused everything later than 13.
  EXPECT_EQ(Diagnose(kGccTooNew, kUbuntu + kToolkits).title.find("13.0"), std::string::npos);
}

}  // namespace
}  // namespace cudadoctor

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/views.h"
#include "host/machine.h"
#include "host/subjects.h"

namespace cudadoctor {
namespace {

// Without persistence mode nvidia-smi wakes each GPU first, about a second each; names come from
// /proc when that takes too long.
constexpr std::chrono::milliseconds kSmiLimit{2000};

std::string_view Trim(absl::string_view text) { return Std(absl::StripAsciiWhitespace(text)); }

class Gpus {
 public:
  explicit Gpus(const Machine& machine) : machine_(machine), files_(machine.files) {}

  std::vector<Fact> Probe() {
    if (!AskSmi()) ReadProc();
    AddDriver();
    AddAbsence();
    facts_.Add("cuda_visible_devices", ValueType::kText,
               machine_.Environment("CUDA_VISIBLE_DEVICES"), "CUDA_VISIBLE_DEVICES");
    return std::move(facts_.facts());
  }

 private:
  // Whether nvidia-smi said which GPUs there are.
  bool AskSmi() {
    std::string smi = machine_.FindProgram("nvidia-smi");
    // WSL's own is not always on PATH.
    if (smi.empty()) smi = machine_.FindProgram("/usr/lib/wsl/lib/nvidia-smi");
    if (smi.empty()) return false;
    // Drivers before 510 do not know compute_cap and print nothing else then.
    for (const bool with_capability : {true, false}) {
      const ProgramResult result =
          machine_.sources.run({smi,
                                absl::StrCat("--query-gpu=name,driver_version,memory.total",
                                             with_capability ? ",compute_cap" : ""),
                                "--format=csv,noheader"},
                               kSmiLimit);
      if (result.end == ProgramResult::End::kNoAnswer) {
        facts_.Add("nvidia_smi_says", ValueType::kText,
                   absl::StrCat("nothing within ", kSmiLimit.count() / 1000,
                                " seconds; the driver is stuck, or slow without persistence mode"),
                   smi);
        return false;
      }
      if (absl::StrContains(result.output, "compute_cap") && with_capability) continue;
      if (result.end != ProgramResult::End::kExited || result.status != 0) {
        facts_.Add("nvidia_smi_says", ValueType::kText,
                   Trim(result.output.substr(0, result.output.find('\n'))), smi);
        return false;
      }
      AddRows(result.output, smi);
      if (!has_gpu_) facts_.AddFlag("no_gpu", smi);
      return true;
    }
    return false;
  }

  // A container that was started without its GPUs still sees the host's in /proc.
  void AddAbsence() {
    if (has_gpu_ && !driver_.empty()) return;
    for (const char* path : {"/dev/nvidiactl", "/dev/dxg", "/etc/nv_tegra_release"}) {
      if (files_.Exists(path)) return;
    }
    if (facts_.facts().empty() || facts_.facts().back().name != "no_gpu")
      facts_.AddFlag("no_gpu", "/dev/nvidiactl");
  }

  void AddRows(const std::string& output, const std::string& smi) {
    int index = 0;
    for (const absl::string_view line : absl::StrSplit(output, '\n', absl::SkipWhitespace())) {
      const std::vector<absl::string_view> fields = absl::StrSplit(line, ',');
      // Whatever else is called nvidia-smi may print anything.
      if (fields.size() < 3 || !Normalize(ValueType::kVersion, Trim(fields[1])).has_value())
        continue;
      const std::string device = absl::StrCat("GPU ", index++);
      facts_.Add("gpu_name", ValueType::kGpuName, Trim(fields[0]), device);
      if (fields.size() > 3)
        facts_.Add("gpu_capability", ValueType::kVersion, Trim(fields[3]), device);
      facts_.Add("gpu_memory_total", ValueType::kSize, Trim(fields[2]), device);
      driver_ = Trim(fields[1]);
      driver_at_ = smi;
      has_gpu_ = true;
    }
  }

  // Reading what the driver says of a GPU takes its locks, and a stuck driver never gives them
  // back. A process of its own can be left to wait.
  void ReadProc() {
    int index = 0;
    for (const std::string& bus : files_.List("/proc/driver/nvidia/gpus")) {
      has_gpu_ = true;
      const std::string device = absl::StrCat("GPU ", index++);
      const std::string said = machine_.Ask(
          {"/bin/cat", absl::StrCat("/proc/driver/nvidia/gpus/", bus, "/information")});
      for (const absl::string_view line : absl::StrSplit(said, '\n')) {
        if (absl::StartsWith(line, "Model:"))
          facts_.Add("gpu_name", ValueType::kGpuName, Trim(line.substr(6)), device);
      }
      if (said.empty()) break;
    }
  }

  void AddDriver() {
    // NVRM version: NVIDIA UNIX x86_64 Kernel Module  570.124.06  …
    // NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.124.06  Release Build …
    const std::string module = "/proc/driver/nvidia/version";
    const std::string text = files_.ReadLine(module);
    has_driver_ = !text.empty() || !driver_.empty();
    if (driver_.empty()) {
      driver_at_ = module;
      for (const absl::string_view word : absl::StrSplit(text, ' ', absl::SkipEmpty())) {
        if (absl::ascii_isdigit(static_cast<unsigned char>(word[0])) &&
            absl::StrContains(word, ".")) {
          driver_ = std::string(word);
          break;
        }
      }
    }
    facts_.Add("driver_version", ValueType::kVersion, driver_, driver_at_);
  }

  const Machine& machine_;
  const RootFiles& files_;
  HostFacts facts_;
  std::string driver_;
  std::string driver_at_;
  bool has_gpu_ = false;
  bool has_driver_ = false;
};

}  // namespace

std::vector<Fact> ProbeGpus(const Machine& machine) { return Gpus(machine).Probe(); }

}  // namespace cudadoctor

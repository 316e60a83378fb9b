#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/views.h"
#include "host/machine.h"
#include "host/python_environment.h"
#include "host/subjects.h"
#include "json/json.h"

namespace cudadoctor {
namespace {

// The version that the toolkit's own version.json states for its part `key`.
std::string FromVersionJson(const std::string& text, const char* key) {
  const absl::StatusOr<Json> json = ParseJson(text, "version.json");
  if (!json.ok() || !json->is_object() || !json->contains(key)) return "";
  const Json& part = (*json)[key];
  if (!part.is_object() || !part.contains("version") || !part["version"].is_string()) return "";
  return VersionIn(part["version"].get<std::string>());
}

// CUDA_VERSION of cuda.h is 1000 times the major and 10 times the minor version.
std::string FromHeader(const std::string& text) {
  const std::string define = "#define CUDA_VERSION ";
  const size_t found = text.find(define);
  int number = 0;
  if (found == std::string::npos ||
      !absl::SimpleAtoi(VersionIn(text, found + define.size()), &number) || number < 1000)
    return "";
  return absl::StrCat(number / 1000, ".", number % 1000 / 10);
}

class Toolkits {
 public:
  explicit Toolkits(const Machine& machine) : machine_(machine), files_(machine.files) {}

  std::vector<Fact> Probe() {
    AddInUse();
    for (const char* parent : {"/usr/local", "/opt"}) {
      for (const std::string& name : files_.List(parent)) {
        if (absl::StartsWith(name, "cuda")) AddInstalled(JoinPath(parent, name));
      }
    }
    for (const char* name : {"CUDA_HOME", "CUDA_PATH", "CONDA_PREFIX"})
      AddInstalled(machine_.PathFrom(name));
    if (const std::string nvcc = machine_.FindProgram("nvcc"); !nvcc.empty())
      AddInstalled(Prefix(nvcc));
    AddPipPackages();
    return std::move(facts_.facts());
  }

 private:
  // The toolkit whose bin/nvcc this is. A distribution's own lies in /usr.
  std::string Prefix(const std::string& nvcc) const {
    return std::string(FolderOf(FolderOf(files_.Resolve(nvcc))));
  }

  std::string Header(const std::string& prefix, const std::string& name) const {
    std::vector<std::string> folders = {prefix + "/include"};
    for (const std::string& target : files_.List(prefix + "/targets"))
      folders.push_back(absl::StrCat(prefix, "/targets/", target, "/include"));
    for (const std::string& folder : folders) {
      if (files_.Exists(JoinPath(folder, name))) return JoinPath(folder, name);
    }
    return "";
  }

  // Major and minor version, from the toolkit's own files; nvcc is only asked when they say
  // nothing.
  std::string Version(const std::string& prefix) const {
    for (const std::string& name : files_.List(prefix + "/conda-meta")) {
      // cuda-nvcc-12.8.93-hcdd1206_1.json, cuda-nvcc_linux-64-…, cuda-nvcc-impl-…
      if (absl::StartsWith(name, "cuda-nvcc-1")) return MajorMinor(VersionIn(name));
    }
    const std::string json = files_.Read(prefix + "/version.json");
    for (const char* key : {"cuda_nvcc", "cuda"}) {
      if (const std::string version = FromVersionJson(json, key); !version.empty())
        return MajorMinor(version);
    }
    if (const std::string text = files_.ReadLine(prefix + "/version.txt"); !text.empty())
      return MajorMinor(VersionIn(text));
    if (const std::string header = Header(prefix, "cuda.h"); !header.empty()) {
      const std::string version = FromHeader(files_.Read(header));
      if (!version.empty()) return version;
    }
    const std::string nvcc = prefix + "/bin/nvcc";
    if (!files_.IsProgram(nvcc)) return "";
    const std::string said = machine_.Ask({nvcc, "--version"});
    const size_t release = said.find("release ");
    return release == std::string::npos ? "" : MajorMinor(VersionIn(said, release));
  }

  void AddInUse() {
    for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
      const std::string folder = machine_.PathFrom(name);
      if (folder.empty()) continue;
      if (files_.IsProgram(folder + "/bin/nvcc")) return AddInUse(folder, name);
      // torch takes the folder all the same, and fails.
      facts_.Add("cuda_home_without_nvcc", ValueType::kPath, folder, name);
      return;
    }
    if (const std::string nvcc = machine_.FindProgram("nvcc"); !nvcc.empty())
      return AddInUse(std::string(FolderOf(FolderOf(nvcc))), "PATH");
    if (files_.IsProgram("/usr/local/cuda/bin/nvcc"))
      return AddInUse("/usr/local/cuda", "the default, nvcc is not on PATH");
  }

  void AddInUse(const std::string& folder, std::string_view chosen_by) {
    const std::string nvcc = folder + "/bin/nvcc";
    facts_.Add("toolkit_cuda", ValueType::kVersion, Version(Prefix(nvcc)), nvcc);
    facts_.Add("toolkit_path", ValueType::kPath, folder.empty() ? "/" : folder, chosen_by);
  }

  void AddInstalled(const std::string& folder) {
    if (folder.empty()) return;
    const std::string prefix = files_.Resolve(folder);
    if (std::find(seen_.begin(), seen_.end(), prefix) != seen_.end()) return;
    seen_.push_back(prefix);
    const bool has_nvcc = files_.IsProgram(prefix + "/bin/nvcc");
    const bool has_headers = !Header(prefix, "cuda_runtime.h").empty();
    if (!has_nvcc && !has_headers) return;
    facts_.Add(!has_nvcc      ? "toolkit_without_nvcc"
               : !has_headers ? "toolkit_without_headers"
                              : "installed_toolkit",
               ValueType::kVersion, Version(prefix), prefix);
  }

  // Up to CUDA 12 each part has a folder (nvidia/cuda_runtime); from 13 on they share nvidia/cu13.
  void AddPipPackages() {
    const PythonEnvironment environment = FindPythonEnvironment(machine_);
    for (const std::string& folder : environment.folders) {
      const std::string nvidia = folder + "/nvidia";
      for (const std::string& name : files_.List(nvidia)) {
        if (absl::StartsWith(name, "cu1")) AddInstalled(JoinPath(nvidia, name));
      }
      if (!files_.IsFolder(nvidia + "/cuda_runtime")) continue;
      for (const std::string& name : files_.List(folder)) {
        if (!absl::StartsWith(name, "nvidia_cuda_runtime_cu") ||
            !absl::EndsWith(name, ".dist-info"))
          continue;
        facts_.Add("toolkit_without_nvcc", ValueType::kVersion,
                   MajorMinor(VersionIn(name, name.find('-'))), nvidia);
      }
    }
  }

  const Machine& machine_;
  const RootFiles& files_;
  HostFacts facts_;
  std::vector<std::string> seen_;
};

}  // namespace

std::vector<Fact> ProbeToolkits(const Machine& machine) { return Toolkits(machine).Probe(); }

}  // namespace cudadoctor

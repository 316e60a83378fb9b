#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/views.h"
#include "host/elf_strings.h"
#include "host/machine.h"
#include "host/python_environment.h"
#include "host/subjects.h"
#include "model/build_variables.h"

namespace cudadoctor {
namespace {

// What the setup.py of CUDA extensions and their build systems import.
constexpr std::array<std::string_view, 14> kBuildModules = {"cmake",      "cython",
                                                            "hatchling",  "ninja",
                                                            "numpy",      "packaging",
                                                            "pip",        "psutil",
                                                            "pybind11",   "scikit-build-core",
                                                            "setuptools", "setuptools-scm",
                                                            "triton",     "wheel"};

// The text between quotes of `name = 'text'` or `name: Optional[str] = "text"`.
std::string Assigned(const std::string& source, std::string_view name) {
  for (const absl::string_view line : absl::StrSplit(source, '\n')) {
    if (!absl::StartsWith(line, Absl(name)) || line.size() == name.size() ||
        (line[name.size()] != ' ' && line[name.size()] != ':' && line[name.size()] != '='))
      continue;
    const absl::string_view value =
        absl::StripAsciiWhitespace(line.substr(std::min(line.size(), line.rfind('=') + 1)));
    if (value.size() > 2 && (value.front() == '\'' || value.front() == '"') &&
        value.back() == value.front())
      return std::string(value.substr(1, value.size() - 2));
  }
  return "";
}

// sm_90, sm_90a, compute_120
bool IsArchitecture(absl::string_view word) {
  if (!absl::ConsumePrefix(&word, "sm_") && !absl::ConsumePrefix(&word, "compute_")) return false;
  const size_t letters = word.find_first_not_of("0123456789");
  return word.size() >= 2 && letters > 1 &&
         (letters == absl::string_view::npos || letters + 1 == word.size());
}

// torch.cuda.get_arch_list() is a constant of libtorch_python.so: "sm_80 sm_90 compute_90". It is
// the longest such list, ended by a NUL; what stands before it need not be.
std::string ArchList(std::string_view constants) {
  constexpr size_t kMaxBytes = 512;
  std::string_view longest;
  for (size_t at = constants.find("sm_"); at != std::string_view::npos;
       at = constants.find("sm_", at + 3)) {
    const std::string_view begin = constants.substr(at, kMaxBytes);
    const std::string_view list = begin.substr(0, begin.find('\0'));
    if (list.size() == begin.size() || list.size() <= longest.size()) continue;
    const std::vector<absl::string_view> words = absl::StrSplit(Absl(list), ' ');
    if (std::all_of(words.begin(), words.end(), IsArchitecture)) longest = list;
  }
  return std::string(longest);
}

class Python {
 public:
  explicit Python(const Machine& machine)
      : machine_(machine),
        files_(machine.files),
        environment_(FindPythonEnvironment(machine)),
        distributions_(Distributions(machine, environment_)) {}

  std::vector<Fact> Probe() {
    AddBuildVariables();
    if (!environment_.kind.empty()) {
      AddEnvironment();
      AddTorch();
      AddModules();
    }
    return std::move(facts_.facts());
  }

 private:
  void AddBuildVariables() {
    const auto environment = [this](std::string_view name) -> std::optional<std::string> {
      return machine_.Environment(std::string(name));
    };
    for (const Fact& fact : FactsOfBuildVariables(environment))
      facts_.Add(fact.name, fact.type, fact.value, fact.at);
  }

  void AddEnvironment() {
    facts_.Add("python_env", ValueType::kPath, environment_.prefix, environment_.chosen_by);
    facts_.Add("python_env_kind", ValueType::kWord, environment_.kind, environment_.prefix);
    facts_.Add("python_path", ValueType::kPath, environment_.python, environment_.chosen_by);
    facts_.Add("python_version", ValueType::kVersion, environment_.version, environment_.prefix);
    if (environment_.kind == "conda") facts_.AddFlag("conda_env", environment_.prefix);
    // pip refuses to install where this file lies beside the standard library (PEP 668).
    if (environment_.kind == "system") {
      const std::string marker =
          absl::StrCat(environment_.prefix, "/lib/python", MajorMinor(environment_.version),
                       "/EXTERNALLY-MANAGED");
      if (files_.Exists(marker)) facts_.AddFlag("externally_managed", marker);
    }
    // uv makes environments without pip.
    if (environment_.kind == "uv" && !distributions_.contains("pip"))
      facts_.Add("tool", ValueType::kWord, "uv", environment_.prefix + "/pyvenv.cfg");
  }

  void AddTorch() {
    for (const std::string& folder : environment_.folders) {
      const std::string torch = folder + "/torch";
      const std::string at = torch + "/version.py";
      const std::string source = files_.Read(at, 16 << 10);
      const std::string version = Assigned(source, "__version__");
      if (version.empty()) continue;
      facts_.Add("torch_version", ValueType::kVersion, version, at);
      facts_.Add("torch_cuda", ValueType::kVersion, MajorMinor(Assigned(source, "cuda")), at);
      if (!Assigned(source, "hip").empty()) {
        facts_.AddFlag("rocm", at);
      } else {
        const std::string library = torch + "/lib/libtorch_python.so";
        facts_.Add("torch_archs", ValueType::kArchList,
                   ArchList(ReadConstants(files_.Real(library))), library);
      }
      AddCondaBuild();
      return;
    }
  }

  // pytorch-2.5.1-py3.12_cuda12.4_cudnn9.1.0_0.json, pytorch-2.7.1-cpu_generic_py312_….json
  void AddCondaBuild() {
    const std::string folder = environment_.prefix + "/conda-meta";
    for (const std::string& name : files_.List(folder)) {
      if (!absl::StartsWith(name, "pytorch-") || !absl::EndsWith(name, ".json") ||
          !absl::ascii_isdigit(static_cast<unsigned char>(name[8])))
        continue;
      const std::string build = name.substr(name.rfind('-') + 1);
      facts_.Add("conda_build", ValueType::kWord, build.substr(0, build.size() - 5),
                 JoinPath(folder, name));
    }
  }

  void AddModules() {
    for (const std::string_view module : kBuildModules) {
      const auto found = distributions_.find(std::string(module));
      if (found == distributions_.end()) continue;
      facts_.Add("installed_module", ValueType::kRequirement,
                 absl::StrCat(found->first, "==", found->second.version), found->second.folder);
    }
  }

  const Machine& machine_;
  const RootFiles& files_;
  const PythonEnvironment environment_;
  const std::map<std::string, Distribution> distributions_;
  HostFacts facts_;
};

}  // namespace

std::vector<Fact> ProbePython(const Machine& machine) { return Python(machine).Probe(); }

}  // namespace cudadoctor

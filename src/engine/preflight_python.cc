#include <algorithm>
#include <array>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "base/status_macros.h"
#include "engine/preflight_case.h"
#include "model/value.h"

namespace cudadoctor {
namespace {

// From this release on pip builds everything in an isolated environment (packages.json, notes).
constexpr std::string_view kPipIsolatesAll = "25.3";

// What the remedies of build-isolation and build-dependency-missing install together.
constexpr std::array<std::string_view, 4> kUsualModules = {"setuptools", "wheel", "packaging",
                                                           "ninja"};

// The modules that a probe lists when they are there (host/python.cc); of another one nothing is
// known.
constexpr std::array<std::string_view, 12> kListedModules = {
    "cmake",  "cython",   "hatchling",         "ninja",      "numpy",          "packaging",
    "psutil", "pybind11", "scikit-build-core", "setuptools", "setuptools-scm", "wheel"};

bool IsListed(const std::string& module) {
  return std::find(kListedModules.begin(), kListedModules.end(), module) != kListedModules.end();
}

bool IsUsual(const std::string& module) {
  return std::find(kUsualModules.begin(), kUsualModules.end(), module) != kUsualModules.end();
}

// Of pip or uv; empty when nobody tells.
std::string VersionOfTool(const PreflightCase& check, const std::string& tool) {
  for (const Fact* fact : check.All("installed_module")) {
    if (absl::StartsWith(fact->value, tool + "==")) return fact->value.substr(tool.size() + 2);
  }
  return check.Get(tool + "_version");
}

std::string ToolName(const PreflightCase& check) {
  const std::string tool = check.Get("tool");
  const std::string version = VersionOfTool(check, tool);
  return version.empty() ? tool : absl::StrCat(tool, " ", version);
}

// Whether the build of this package would run in an environment of its own.
enum class Isolation { kNo, kYes, kUnknown };

// Whether the facts hold every listed module of the environment.
bool HasModuleList(const PreflightCase& check) {
  return !check.All("installed_module").empty() ||
         (check.is_whole() && check.Has("python_version"));
}

bool IsInstalled(const PreflightCase& check, const std::string& module) {
  const std::vector<const Fact*> present = check.All("installed_module");
  return std::any_of(present.begin(), present.end(), [&module](const Fact* fact) {
    return PackageKey(fact->value.substr(0, fact->value.find("=="))) == PackageKey(module);
  });
}

Isolation IsolationOf(const PreflightCase& check) {
  if (check.input().no_build_isolation) return Isolation::kNo;
  if (check.Get("tool") == "uv") return Isolation::kYes;
  const std::string pip = VersionOfTool(check, "pip");
  if (!pip.empty() && CompareVersions(pip, kPipIsolatesAll) >= 0) return Isolation::kYes;
  if (check.build().has_pyproject == true || check.build().isolates_torch) return Isolation::kYes;
  if (check.build().has_pyproject != false || pip.empty() || !HasModuleList(check))
    return Isolation::kUnknown;
  // An older pip runs setup.py itself where setuptools and wheel are there (packages.json, notes).
  return IsInstalled(check, "setuptools") && IsInstalled(check, "wheel") ? Isolation::kNo
                                                                         : Isolation::kYes;
}

// The build modules that the environment lacks, those that a remedy names first in front.
std::vector<std::string> MissingModules(const PreflightCase& check) {
  std::vector<std::string> missing;
  for (const std::string& module : check.build().modules) {
    // flash-attn asks psutil only to choose the number of jobs itself (its setup.py).
    const bool is_needed = module != "psutil" || check.Variable("MAX_JOBS").empty();
    // cmake and ninja may also be the system's.
    const bool is_program = check.Has(absl::StrCat(module, "_path"));
    if (is_needed && IsListed(module) && !is_program && !IsInstalled(check, module))
      missing.push_back(module);
  }
  std::stable_partition(missing.begin(), missing.end(),
                        [](const std::string& module) { return !IsUsual(module); });
  return missing;
}

absl::Status CheckModules(PreflightCase& check) {
  const bool needs_torch = check.is_known() && check.build().imports_torch;
  if (!HasModuleList(check)) {
    if (needs_torch && !check.Has("torch_version"))
      check.AddUnchecked("no fact tells whether PyTorch is installed");
    if (check.is_known())
      check.AddUnchecked("no fact tells which modules are installed: build modules not checked");
    return absl::OkStatus();
  }
  std::vector<std::string> missing = MissingModules(check);
  if (needs_torch && !check.Has("torch_version")) missing.insert(missing.begin(), "torch");
  if (missing.empty()) return absl::OkStatus();
  Suspicion suspicion{
      .cause = "build-dependency-missing",
      .confidence = Confidence::kCertain,
      .captures = {{"module", ValueType::kModule,
                    absl::StrReplaceAll(missing.front(), {{"-", "_"}})}},
      .evidence = {EvidenceOf("installed_module", absl::StrCat("not in this environment: ",
                                                               absl::StrJoin(missing, ", ")))}};
  if (missing.size() == 1 && missing.front() == "ninja") {
    suspicion.role = Role::kLatent;
    suspicion.title = "ninja is not installed: the files are compiled one at a time, for hours";
  }
  // A root also where a prebuilt wheel is expected: setup.py runs before it looks for one.
  return check.Add(std::move(suspicion));
}

absl::Status AddIsolation(PreflightCase& check, Isolation isolation) {
  const PackageBuild& build = check.build();
  const std::string where = isolation == Isolation::kYes
                                ? " builds in an environment of its own"
                                : " may build in an environment of its own";
  Suspicion suspicion{
      .cause = "build-isolation",
      .confidence = isolation == Isolation::kYes ? Confidence::kCertain : Confidence::kLikely,
      .captures = {{"module", ValueType::kModule, "torch"}}};
  if (!build.isolates_torch) {
    suspicion.evidence = {EvidenceOf("tool", absl::StrCat(ToolName(check), where, "; setup.py of ",
                                                          build.name, " imports torch"))};
  } else if (check.Has("torch_version")) {
    suspicion.cause = "extension-abi-mismatch";
    suspicion.confidence = Confidence::kLikely;
    suspicion.captures.clear();
    suspicion.evidence = {
        EvidenceOf("tool", absl::StrCat(ToolName(check), where, ", with the newest torch")),
        EvidenceOf("torch_version", absl::StrCat("torch here is ", check.Get("torch_version")))};
    suspicion.title =
        "an isolated build compiles {package} for the newest PyTorch, not for {torch_version}";
  } else {
    check.AddUnchecked(absl::StrCat("the build takes the newest PyTorch: the CUDA of that one"));
    return absl::OkStatus();
  }
  suspicion.captures.push_back(
      {"command", ValueType::kCommand, WriteCommandLine(check.InstallCommand(false))});
  return check.Add(std::move(suspicion));
}

}  // namespace

absl::Status CheckPython(PreflightCase& check) {
  const PackageBuild& build = check.build();
  const bool runs_setup = check.way() == Way::kCompiled || check.way() == Way::kUnknown ||
                          build.pypi == PackageBuild::Pypi::kSources;
  if (!runs_setup || check.way() == Way::kPure) return absl::OkStatus();
  const Isolation isolation = IsolationOf(check);
  if (build.imports_torch && isolation != Isolation::kNo) return AddIsolation(check, isolation);
  // In an isolated build what the environment lacks is no matter.
  if (!check.is_known() && isolation != Isolation::kNo) {
    check.AddUnchecked(absl::StrCat("whether setup.py of ", build.name,
                                    " imports torch; it then needs --no-build-isolation"));
  }
  if (isolation == Isolation::kYes) return absl::OkStatus();
  return CheckModules(check);
}

}  // namespace cudadoctor

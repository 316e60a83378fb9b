#include <algorithm>
#include <array>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "base/views.h"
#include "engine/preflight_case.h"

namespace cudadoctor {
namespace {

// Variables that choose another host compiler than the gcc that was looked at.
constexpr std::array<std::string_view, 6> kCompilerVariables = {
    "CC", "CXX", "CUDAHOSTCXX", "NVCC_CCBIN", "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"};

std::string At(const std::string& path) { return path.empty() ? "" : absl::StrCat(" in ", path); }

Evidence ToolkitEvidence(const PreflightCase& check) {
  std::string place = check.Place("toolkit_cuda");
  if (place.empty()) place = At(check.Get("toolkit_path"));
  return EvidenceOf("toolkit_cuda", absl::StrCat("nvcc ", check.Get("toolkit_cuda"), place));
}

bool UsesTorch(const PreflightCase& check) {
  const std::vector<std::string>& modules = check.build().modules;
  return std::find(modules.begin(), modules.end(), "torch") != modules.end();
}

bool ReadsArchList(const PreflightCase& check) {
  if (!check.is_known()) return true;
  return check.LookUp("package-reads-arch-list", {check.build().name}) == "yes";
}

absl::Status AddTorchWithoutCuda(PreflightCase& check) {
  const bool is_optional = check.build().is_cuda_optional;
  return check.AddOfBuild(
      {.cause = "torch-without-cuda",
       .role = is_optional ? Role::kLatent : Role::kRoot,
       .confidence = Confidence::kCertain,
       .evidence = {TorchEvidence(check)},
       .signature = "extension-build",
       .title = is_optional ? "PyTorch {torch_version} is a build without CUDA: {package} is built "
                              "without its CUDA part"
                            : ""});
}

absl::Status CheckStandard(PreflightCase& check) {
  const std::string standard = check.LookUp("torch-cxx", {check.Get("torch_version")});
  const std::string& fixed = check.build().fixed_cxx;
  if (standard.empty() || fixed.empty() || CompareVersions(fixed, standard) >= 0)
    return absl::OkStatus();
  return check.AddOfBuild(
      {.cause = "cxx-standard-too-low",
       .confidence = Confidence::kLikely,
       .captures = {{"cxx_required", ValueType::kInteger, standard}},
       .evidence = {TorchEvidence(check)},
       .title = absl::StrCat("PyTorch {torch_version|minor} needs C++{cxx_required}, {package}"
                             "[[ {package_version}]] is compiled as C++",
                             fixed)});
}

absl::Status CheckToolkitMissing(PreflightCase& check) {
  const std::vector<const Fact*> elsewhere = check.All("installed_toolkit");
  if (elsewhere.empty() && !check.is_whole()) {
    check.AddUnchecked("no fact tells the CUDA toolkit: its version was not checked");
    return absl::OkStatus();
  }
  const bool is_optional = check.build().is_cuda_optional;
  Suspicion suspicion{.cause = "cuda-toolkit-missing",
                      .role = is_optional ? Role::kLatent : Role::kRoot,
                      .confidence = Confidence::kLikely,
                      .evidence = {EvidenceOf(
                          "toolkit_cuda", "no nvcc by CUDA_HOME, on PATH or in /usr/local/cuda")}};
  for (const Fact* fact : elsewhere) {
    suspicion.evidence.push_back(EvidenceOf(
        "installed_toolkit",
        absl::StrCat("CUDA ", fact->value, " is", At(fact->at), ", which neither names")));
  }
  if (is_optional)
    suspicion.title = "no CUDA toolkit: {package} is built without its CUDA part, silently";
  return check.AddOfBuild(std::move(suspicion));
}

// setup.py of flash-attn and its like asks the nvcc of CUDA_HOME before it looks for a wheel.
absl::Status AddMisleadingHome(PreflightCase& check) {
  const std::string folder = check.Get("cuda_home_without_nvcc");
  Suspicion suspicion{
      .cause = "cuda-toolkit-missing",
      .confidence = Confidence::kCertain,
      .captures = {{"path", ValueType::kPath, absl::StrCat(folder, "/bin/nvcc")}},
      .evidence = {EvidenceOf("cuda_home_without_nvcc",
                              absl::StrCat("CUDA_HOME is ", folder, ", which has no bin/nvcc"))},
      .title = "CUDA_HOME names a folder without nvcc: there is no {path}"};
  return check.way() == Way::kPure ? check.AddOfBuild(std::move(suspicion))
                                   : check.Add(std::move(suspicion));
}

// Whether torch refuses this machine's nvcc.
bool IsMismatch(const PreflightCase& check) {
  const std::string torch_cuda = check.Get("torch_cuda");
  const VersionPart part = check.build().compares_minor ? VersionPart::kMinor : VersionPart::kMajor;
  return UsesTorch(check) && !torch_cuda.empty() &&
         CompareVersions(torch_cuda, check.Get("toolkit_cuda"), part) != 0;
}

absl::Status CheckMismatch(PreflightCase& check) {
  const std::string torch_cuda = check.Get("torch_cuda");
  if (torch_cuda.empty()) {
    check.AddUnchecked("no fact tells the CUDA of PyTorch: not compared with nvcc's");
    return absl::OkStatus();
  }
  if (!IsMismatch(check)) return absl::OkStatus();
  Suspicion suspicion{.cause = "cuda-version-mismatch",
                      .confidence = Confidence::kCertain,
                      .evidence = {ToolkitEvidence(check), TorchEvidence(check)}};
  for (const Fact* fact : check.All("installed_toolkit")) {
    const std::optional<std::string> prefix = Normalize(ValueType::kPath, fact->at);
    if (!prefix.has_value() || CompareVersions(fact->value, torch_cuda, VersionPart::kMinor) != 0)
      continue;
    suspicion.cause = "wrong-toolkit-selected";
    suspicion.signature = "listed-beside-mismatch";
    suspicion.captures = {{"found_version", ValueType::kVersion, fact->value},
                          {"prefix", ValueType::kPath, *prefix}};
    suspicion.evidence.push_back(
        EvidenceOf("installed_toolkit", absl::StrCat("CUDA ", fact->value, " is", At(fact->at))));
  }
  return check.AddOfBuild(std::move(suspicion));
}

absl::Status CheckToolkitAge(PreflightCase& check) {
  const std::optional<Demand>& demand = check.build().min_cuda;
  const std::string toolkit = check.Get("toolkit_cuda");
  if (!demand.has_value() || CompareVersions(toolkit, demand->version, VersionPart::kMinor) >= 0)
    return absl::OkStatus();
  return check.AddOfBuild(
      {.cause = "cuda-toolkit-too-old",
       .confidence = demand->is_sure ? Confidence::kCertain : Confidence::kLikely,
       .captures = {{"required_version", ValueType::kVersion, demand->version}},
       .evidence = {ToolkitEvidence(check)}});
}

absl::Status CheckHostCompiler(PreflightCase& check) {
  for (const std::string_view variable : kCompilerVariables) {
    if (check.Variable(variable).empty()) continue;
    check.AddUnchecked(
        absl::StrCat(Absl(variable), " may choose another host compiler: not checked"));
    return absl::OkStatus();
  }
  const std::string gcc = check.Get("gcc_version");
  if (gcc.empty()) {
    if (check.Has("clang_version") || !check.is_whole() || check.Get("os") != "linux") {
      check.AddUnchecked("no fact tells the version of gcc: the host compiler was not checked");
      return absl::OkStatus();
    }
    return check.AddOfBuild(
        {.cause = "host-compiler-missing",
         .confidence = Confidence::kLikely,
         .evidence = {EvidenceOf("gcc_version", "neither gcc nor clang on PATH")}});
  }
  const Evidence evidence =
      EvidenceOf("gcc_version", absl::StrCat("gcc ", gcc, check.Place("gcc_version")));
  // Where nvcc has to become another one, that one has to take this gcc.
  const bool is_planned = !check.Has("toolkit_cuda") || IsMismatch(check);
  const std::string toolkit = check.Get(is_planned ? "torch_cuda" : "toolkit_cuda");
  // nvcc takes gcc 11 from 11.4 on, but before 11.7 it does not understand its std_function.h (the
  // rule's "parameter-packs").
  const bool fails_later =
      CompareVersions(toolkit, "11.7") < 0 && CompareVersions(gcc, "11", VersionPart::kMajor) == 0;
  const std::string newest = fails_later ? "10" : check.LookUp("toolkit-max-gcc", {toolkit});
  if (!newest.empty() && CompareVersions(gcc, newest, VersionPart::kMajor) > 0) {
    return check.AddOfBuild(
        {.cause = "host-compiler-too-new",
         .confidence = fails_later ? Confidence::kLikely : Confidence::kCertain,
         .captures = {{"toolkit_max_gcc", ValueType::kVersion, newest},
                      {"toolkit_cuda", ValueType::kVersion, toolkit}},
         .evidence = {evidence, is_planned
                                    ? EvidenceOf("torch_cuda", absl::StrCat("the build needs CUDA ",
                                                                            toolkit, ", torch's"))
                                    : ToolkitEvidence(check)}});
  }
  // PyTorch's headers refuse gcc before 9 since they need C++17; gcc 10 has most of C++20.
  const std::string standard =
      UsesTorch(check) ? check.LookUp("torch-cxx", {check.Get("torch_version")}) : "";
  const std::string oldest = standard == "20" ? "10" : standard == "17" ? "9" : "";
  if (oldest.empty() || CompareVersions(gcc, oldest, VersionPart::kMajor) >= 0)
    return absl::OkStatus();
  return check.AddOfBuild({.cause = "host-compiler-too-old",
                           .confidence = Confidence::kLikely,
                           .captures = {{"required_version", ValueType::kVersion, oldest}},
                           .evidence = {evidence, TorchEvidence(check)}});
}

absl::Status AddArchUnsupported(PreflightCase& check, const std::string& arch, Evidence evidence) {
  const std::string oldest = check.LookUp("min-toolkit", {arch});
  const bool is_too_old = !oldest.empty() && CompareVersions(check.Get("toolkit_cuda"), oldest) < 0;
  return check.AddOfBuild({.cause = "cuda-arch-unsupported",
                           .confidence = Confidence::kCertain,
                           .captures = {{"arch", ValueType::kArchitecture, arch}},
                           .evidence = {ToolkitEvidence(check), std::move(evidence)},
                           .signature = is_too_old ? "nvcc-too-old" : "arch-dropped"});
}

// The architectures that the environment names.
absl::Status CheckArchList(PreflightCase& check, const std::string& list) {
  if (!ReadsArchList(check)) {
    const std::string own = check.LookUp("arch-variable", {check.build().name});
    check.AddUnchecked(absl::StrCat(check.build().name, " does not read TORCH_CUDA_ARCH_LIST",
                                    own.empty() ? "" : "; its variable is ", own));
    return absl::OkStatus();
  }
  const Evidence evidence = EvidenceOf("arch_list", absl::StrCat("TORCH_CUDA_ARCH_LIST is ", list));
  for (const absl::string_view entry : absl::StrSplit(list, ';', absl::SkipEmpty())) {
    const std::optional<std::string> capability = Capability(Std(entry));
    if (!capability.has_value()) continue;  // a name such as Hopper
    const std::string arch = Sm(*capability);
    if (check.LookUp("toolkit-compiles", {check.Get("toolkit_cuda"), arch}) != "no") continue;
    return AddArchUnsupported(check, arch, evidence);
  }
  for (const std::string& capability : Capabilities(check)) {
    if (check.LookUp("arch-list-covers", {list, capability}) != "no") continue;
    return check.Add({.cause = "gpu-arch-not-in-binary",
                      .role = Role::kLatent,
                      .confidence = Confidence::kCertain,
                      .captures = {{"gpu_capability", ValueType::kVersion, capability}},
                      .evidence = {evidence, GpuEvidence(check, capability)},
                      .signature = "latent-arch-list"});
  }
  return absl::OkStatus();
}

absl::Status CheckArchitectures(PreflightCase& check) {
  if (const std::string list = check.Get("arch_list"); !list.empty())
    return CheckArchList(check, list);
  const std::vector<std::string> capabilities = Capabilities(check);
  if (capabilities.empty()) {
    if (!ReadsArchList(check)) return absl::OkStatus();
    if (!check.Has("no_gpu") && !check.is_whole()) {
      check.AddUnchecked("no fact tells the GPU: architectures not checked");
      return absl::OkStatus();
    }
    return check.AddOfBuild(
        {.cause = "gpu-not-visible-at-build",
         .role = check.build().is_cuda_optional ? Role::kLatent : Role::kRoot,
         .confidence = Confidence::kLikely,
         .evidence = {EvidenceOf("no_gpu", "no GPU here, and TORCH_CUDA_ARCH_LIST is not set")}});
  }
  // Without a list a build of PyTorch takes the GPUs that it sees, as far as torch knows them.
  for (const std::string& capability : capabilities) {
    const bool is_known_to_torch =
        check.LookUp("torch-has-arch", {check.Get("torch_version"), capability}) != "no";
    if (!ReadsArchList(check) || !is_known_to_torch ||
        check.LookUp("toolkit-compiles", {check.Get("toolkit_cuda"), Sm(capability)}) != "no")
      continue;
    return AddArchUnsupported(check, Sm(capability), GpuEvidence(check, capability));
  }
  return absl::OkStatus();
}

// The toolkit, and what works with it, in the order in which a build asks for them.
absl::Status CheckToolkit(PreflightCase& check) {
  if (check.Has("cuda_home_without_nvcc")) return AddMisleadingHome(check);
  if (!check.Has("toolkit_cuda")) {
    RETURN_IF_ERROR(CheckToolkitMissing(check));
    return check.build().is_cuda_optional ? absl::OkStatus() : CheckHostCompiler(check);
  }
  if (UsesTorch(check)) RETURN_IF_ERROR(CheckMismatch(check));
  RETURN_IF_ERROR(CheckToolkitAge(check));
  RETURN_IF_ERROR(CheckHostCompiler(check));
  return CheckArchitectures(check);
}

}  // namespace

absl::Status CheckCuda(PreflightCase& check) {
  if (check.Has("rocm") || absl::StrContains(check.Get("torch_version"), "+rocm")) {
    check.AddUnchecked("this is a ROCm machine: nothing about CUDA was checked");
    return absl::OkStatus();
  }
  RETURN_IF_ERROR(CheckTorch(check));
  // A wheel that pip takes from PyPI needs no toolkit, and so does what is never compiled by one.
  const bool has_cuda_code = UsesTorch(check) || check.build().min_cuda.has_value();
  const bool is_from_pypi =
      check.way() == Way::kWheel && check.build().pypi == PackageBuild::Pypi::kWheel;
  if (is_from_pypi || !has_cuda_code) return absl::OkStatus();
  if (UsesTorch(check) && absl::EndsWith(check.Get("torch_version"), "+cpu"))
    return AddTorchWithoutCuda(check);
  RETURN_IF_ERROR(CheckToolkit(check));
  return CheckStandard(check);
}

}  // namespace cudadoctor

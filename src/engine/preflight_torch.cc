#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "engine/preflight_case.h"

namespace cudadoctor {
namespace {

absl::Status CheckTorchRuns(PreflightCase& check) {
  const std::string torch = check.Get("torch_version");
  if (torch.empty()) return absl::OkStatus();
  for (const std::string& capability : Capabilities(check)) {
    if (check.LookUp("torch-has-arch", {torch, capability}) != "no") continue;
    Suspicion suspicion{.cause = "gpu-arch-not-in-binary",
                        .confidence = Confidence::kLikely,
                        .captures = {{"arch", ValueType::kArchitecture, Sm(capability)}},
                        .evidence = {TorchEvidence(check), GpuEvidence(check, capability)},
                        .title = "PyTorch {torch_version} has no code for [[{gpu_name} ]]({arch})"};
    if (const std::string archs = check.LookUp("torch-archs", {torch}); !archs.empty())
      suspicion.captures.push_back({"built_archs", ValueType::kArchList, archs});
    RETURN_IF_ERROR(check.Add(std::move(suspicion)));
    break;
  }
  const std::string driver = check.Get("driver_version");
  const std::string needed = check.LookUp("min-driver", {check.Get("torch_cuda")});
  if (!driver.empty() && !needed.empty() && CompareVersions(driver, needed) < 0) {
    return check.Add(
        {.cause = "driver-too-old",
         .role = Role::kLatent,
         .confidence = Confidence::kLikely,
         .evidence = {EvidenceOf("driver_version",
                                 absl::StrCat("driver ", driver, "; CUDA ", check.Get("torch_cuda"),
                                              " needs ", needed, " or newer")),
                      TorchEvidence(check)},
         .title = "PyTorch will not use the GPU: the driver {driver_version} is too "
                  "old for its CUDA {torch_cuda}"});
  }
  return absl::OkStatus();
}

absl::Status CheckTorchPin(PreflightCase& check) {
  const std::string torch = check.Get("torch_version");
  const std::string& pin = check.build().torch_pin;
  if (torch.empty() || pin.empty() || CompareVersions(torch, pin) == 0) return absl::OkStatus();
  return check.Add({.cause = "torch-replaced",
                    .role = Role::kLatent,
                    .confidence = Confidence::kCertain,
                    .captures = {{"torch_before", ValueType::kVersion, torch},
                                 {"torch_after", ValueType::kVersion, pin}},
                    .evidence = {TorchEvidence(check)},
                    .title = "{package} {package_version} is made for torch {torch_after}: "
                             "installing it replaces torch {torch_before}"});
}

absl::Status CheckOwnWheel(PreflightCase& check) {
  if (check.other_wheels().empty()) return absl::OkStatus();
  return check.Add(
      {.cause = "prebuilt-wheel-missing",
       .role = Role::kLatent,
       .confidence = Confidence::kCertain,
       .evidence = {EvidenceOf("package",
                               absl::StrCat("its wheels are for ", check.other_wheels()))},
       .title = "no prebuilt {package}[[ {package_version}]] wheel fits this PyTorch, CUDA and "
                "Python: it is compiled, which takes long"});
}

// Whether the package has kernels for the GPUs at all.
absl::Status CheckSupported(PreflightCase& check) {
  const std::vector<std::string>& archs = check.build().gpu_archs;
  if (archs.empty()) return absl::OkStatus();
  const std::string oldest = *std::min_element(
      archs.begin(), archs.end(),
      [](const std::string& a, const std::string& b) { return CompareVersions(a, b) < 0; });
  for (const std::string& capability : Capabilities(check)) {
    if (CompareVersions(capability, oldest) >= 0) continue;
    return check.Add({.cause = "gpu-arch-too-old-for-source",
                      .confidence = Confidence::kLikely,
                      .captures = {{"required_arch", ValueType::kArchitecture, oldest},
                                   {"gpu_capability", ValueType::kVersion, capability}},
                      .evidence = {GpuEvidence(check, capability)},
                      .title = "{package} has kernels from compute capability {required_arch} on, "
                               "[[{gpu_name} has ]]{gpu_capability}"});
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckTorch(PreflightCase& check) {
  RETURN_IF_ERROR(CheckTorchRuns(check));
  RETURN_IF_ERROR(CheckTorchPin(check));
  RETURN_IF_ERROR(CheckOwnWheel(check));
  return CheckSupported(check);
}

}  // namespace cudadoctor

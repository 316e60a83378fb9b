#include "remedy/holes.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/views.h"
#include "remedy/build_memory.h"
#include "remedy/own_command.h"

namespace cudadoctor {
namespace {

HoleValue Literal(std::string text) { return {ValueType::kWord, std::move(text), true}; }

std::optional<HoleValue> LiteralOf(std::optional<std::string> text) {
  if (!text.has_value()) return std::nullopt;
  return Literal(*std::move(text));
}

}  // namespace

std::optional<HoleValue> Holes::Fill(std::string_view name) const {
  if (const auto parameter = parameters_.find(name); parameter != parameters_.end())
    return parameter->second;
  if (std::optional<HoleValue> value = BuiltIn(name)) return value;
  const std::optional<Resolver::Value> value = resolver_.Get(name);
  if (!value.has_value()) return std::nullopt;
  return HoleValue{value->type, value->text, false};
}

std::optional<HoleValue> Holes::BuiltIn(std::string_view name) const {
  const auto fact = [this](std::string_view wanted) { return resolver_.Get(wanted); };
  if (name == "pip") {
    const auto tool = fact("tool");
    return Literal(tool.has_value() && tool->text == "uv" ? "uv pip" : "pip");
  }
  if (name == "sudo")
    return Literal(fact("docker").has_value() || fact("root_user").has_value() ? "" : "sudo ");
  if (name == "package_spec") return LiteralOf(PackageSpec(resolver_));
  if (name == "jobs_variable") {
    const auto package = fact("package");
    if (package.has_value()) {
      if (auto variable = resolver_.knowledge().LookUp("jobs-variable", {package->text}))
        return Literal(*std::move(variable));
    }
    const auto command = fact("command");
    const bool is_cmake = command.has_value() && absl::StrContains(command->text, "cmake ");
    return Literal(is_cmake ? "CMAKE_BUILD_PARALLEL_LEVEL" : "MAX_JOBS");
  }
  if (name == "arch_variable") return LiteralOf(ArchVariable());
  if (name == "gpu_archs") {
    const std::string archs = GpuArchs();
    return archs.empty() ? std::nullopt : std::optional(Literal(archs));
  }
  if (name == "kept_archs") return LiteralOf(KeptArchs());
  if (name == "fit_jobs" || name == "fit_why" || name == "fewer_jobs" || name == "fewer_why") {
    const int architectures =
        ArchVariable().has_value() ? static_cast<int>(GpuCapabilities().size()) : 0;
    const std::optional<JobsThatFit> fit = absl::StartsWith(Absl(name), "fit")
                                               ? FitJobs(resolver_, architectures)
                                               : FewerJobs(resolver_, architectures);
    if (!fit.has_value()) return std::nullopt;
    return Literal(absl::EndsWith(Absl(name), "_jobs") ? std::to_string(fit->jobs) : fit->why);
  }
  return std::nullopt;
}

std::optional<std::string> Holes::ArchVariable() const {
  const auto package = resolver_.Get("package");
  if (!package.has_value()) return "TORCH_CUDA_ARCH_LIST";
  if (auto variable = resolver_.knowledge().LookUp("arch-variable", {package->text}))
    return variable;
  const auto reads = resolver_.knowledge().LookUp("package-reads-arch-list", {package->text});
  if (reads.has_value() && *reads == "no") return std::nullopt;
  return "TORCH_CUDA_ARCH_LIST";
}

// Of a machine with several GPUs, those of all.
std::vector<std::string> Holes::GpuCapabilities() const {
  std::vector<std::string> all = resolver_.AllOfHost("gpu_capability");
  if (const auto capability = resolver_.Get("gpu_capability"); all.empty() && capability)
    all.push_back(capability->text);
  return all;
}

std::string Holes::GpuArchs() const {
  const std::optional<std::string> variable = ArchVariable();
  const bool has_dots = !variable.has_value() || absl::StrContains(*variable, "_ARCH_LIST") ||
                        *variable == "NATTEN_CUDA_ARCH";
  std::string archs;
  for (const std::string& capability : GpuCapabilities()) {
    const std::string arch =
        has_dots ? capability : ApplyFilter("sm", capability).value_or(capability);
    absl::StrAppend(&archs, archs.empty() ? "" : ";", arch);
  }
  return archs;
}

std::optional<std::string> Holes::KeptArchs() const {
  const auto list = resolver_.Get("arch_list"), refused = resolver_.Get("arch");
  if (!list.has_value() || !refused.has_value()) return std::nullopt;
  const std::optional<std::string> entry = ApplyFilter("dot", refused->text);
  if (!entry.has_value()) return std::nullopt;
  std::vector<absl::string_view> kept =
      absl::StrSplit(list->text, absl::ByAnyChar(";, "), absl::SkipEmpty());
  const size_t all = kept.size();
  kept.erase(std::remove_if(kept.begin(), kept.end(),
                            [&](absl::string_view known) {
                              return absl::StripSuffix(known, "+PTX") == *entry;
                            }),
             kept.end());
  if (kept.empty() || kept.size() == all) return std::nullopt;
  return absl::StrJoin(kept, ";");
}

}  // namespace cudadoctor

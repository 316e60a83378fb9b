#include "engine/same_machine.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/views.h"
#include "model/assignments.h"

namespace cudadoctor {
namespace {

// Facts of which a machine has one value, or a list of all.
constexpr std::array<std::string_view, 7> kSameValue = {
    "os", "machine", "distro", "distro_version", "gpu_name", "driver_version", "cpu_count"};
// Facts that hold for all work on a machine that has them.
constexpr std::array<std::string_view, 5> kSamePresence = {"docker", "slurm", "wsl", "jetson",
                                                           "rocm"};
// Tools round memory up to a whole GiB, and count reserved memory or not.
constexpr double kMemoryTolerance = 0.15;

std::vector<std::string> ValuesOf(const std::vector<Fact>& facts, std::string_view name) {
  std::vector<std::string> values;
  for (const Fact& fact : facts)
    if (fact.name == name) values.push_back(fact.value);
  return values;
}

std::string Difference(std::string_view name, const std::string& in_log, const std::string& here) {
  return absl::StrCat(Absl(name), " is ", in_log, ", here ", here);
}

// nvidia-smi -L, torch and lspci spell one GPU with and without its maker.
bool IsSame(std::string_view name, const std::string& a, const std::string& b) {
  if (name != "gpu_name") return a == b;
  return absl::StrContains(a, b) || absl::StrContains(b, a);
}

// Facts about one thing: the first one tells which it is.
constexpr std::array<std::array<std::string_view, 8>, 6> kFamilies = {{
    {"torch_version", "torch_cuda", "torch_archs", "rocm"},
    {"torch_cuda", "torch_version", "torch_archs", "rocm"},
    {"toolkit_cuda", "toolkit_path"},
    {"gpu_name", "gpu_capability", "gpu_memory_total"},
    {"python_version", "python_path", "python_env", "python_env_kind", "conda_env", "conda_build",
     "externally_managed", "installed_module"},
    {"gcc_version", "compiler_path"},
}};

// What only a log about CUDA states.
constexpr std::array<std::string_view, 10> kOfCuda = {
    "toolkit_cuda", "toolkit_max_gcc", "torch_cuda",    "driver_version", "driver_cuda",
    "gpu_name",     "gpu_capability",  "cudnn_version", "arch",           "code_arch"};

// Commands that build without a Python installer.
constexpr std::array<std::string_view, 11> kOtherTools = {
    "cmake", "make", "gmake", "ninja", "ctest", "meson", "bazel", "scons", "nvcc", "gcc", "g++"};

// Whether the command that failed, which is the last, is one of kOtherTools.
bool IsOtherTool(const std::vector<std::string>& commands) {
  if (commands.empty()) return false;
  std::string_view name = commands.back();
  name.remove_prefix(AssignmentsEnd(name));
  name = name.substr(0, name.find(' '));
  name.remove_prefix(name.rfind('/') + 1);
  return std::find(kOtherTools.begin(), kOtherTools.end(), name) != kOtherTools.end();
}

void Drop(const std::array<std::string_view, 8>& family, std::vector<Fact>& host) {
  std::erase_if(host, [&family](const Fact& fact) {
    return std::find(family.begin(), family.end(), fact.name) != family.end();
  });
}

// Whether `a` and `b` are one version, as far as the shorter one tells: 2.8 and 2.8.0+cu128.
bool IsSameVersion(std::string_view a, std::string_view b) {
  const size_t build_a = a.find('+');
  const size_t build_b = b.find('+');
  if (build_a != a.npos && build_b != b.npos && a.substr(build_a) != b.substr(build_b))
    return false;  // +cu128 and +rocm6.4
  const std::string_view shorter = a.size() < b.size() ? a : b;
  const auto dots = std::count(shorter.begin(),
                               shorter.begin() + std::min(shorter.find('+'), shorter.size()), '.');
  const VersionPart part = dots == 0   ? VersionPart::kMajor
                           : dots == 1 ? VersionPart::kMinor
                                       : VersionPart::kAll;
  return CompareVersions(a, b, part) == 0;
}

}  // namespace

std::vector<Fact> WithoutContradicted(const std::vector<Fact>& log, std::vector<Fact> host) {
  for (const auto& family : kFamilies) {
    const std::string_view name = family.front();
    const std::vector<std::string> here = ValuesOf(host, name);
    const auto is_here = [&](const std::string& value) {
      return std::any_of(here.begin(), here.end(), [&](const std::string& known) {
        return name == "gpu_name" ? IsSame(name, value, known) : IsSameVersion(value, known);
      });
    };
    const std::vector<std::string> stated = ValuesOf(log, name);
    if (here.empty() || std::all_of(stated.begin(), stated.end(), is_here)) continue;
    Drop(family, host);
  }
  const auto is_stated = [&log](std::string_view name) { return !ValuesOf(log, name).empty(); };
  if (!is_stated("rocm") && std::any_of(kOfCuda.begin(), kOfCuda.end(), is_stated) &&
      !ValuesOf(host, "rocm").empty())
    Drop(kFamilies.front(), host);
  if (IsOtherTool(ValuesOf(log, "command"))) {
    std::erase_if(host, [](const Fact& fact) { return fact.name == "tool"; });
    if (!is_stated("torch_version") && !is_stated("torch_cuda")) Drop(kFamilies.front(), host);
  }
  return host;
}

void DropAllAbout(std::string_view fact, std::vector<Fact>& host) {
  for (const auto& family : kFamilies) {
    if (family.front() == fact) Drop(family, host);
  }
  std::erase_if(host, [fact](const Fact& known) { return known.name == fact; });
}

std::optional<std::string> DifferenceOfMachines(const std::vector<Fact>& log,
                                                const std::vector<Fact>& host) {
  for (const std::string_view name : kSameValue) {
    const std::vector<std::string> here = ValuesOf(host, name);
    if (here.empty()) continue;
    for (const std::string& value : ValuesOf(log, name)) {
      if (std::none_of(here.begin(), here.end(),
                       [&](const std::string& known) { return IsSame(name, value, known); }))
        return Difference(name, value, here.front());
    }
  }
  for (const std::string_view name : kSamePresence) {
    if (!ValuesOf(log, name).empty() && ValuesOf(host, name).empty())
      return absl::StrCat("the log says ", Absl(name), ", this machine does not");
  }
  double in_log = 0;
  double here = 0;
  const std::vector<std::string> totals = ValuesOf(log, "memory_total");
  const std::vector<std::string> own_total = ValuesOf(host, "memory_total");
  if (!totals.empty() && !own_total.empty() && absl::SimpleAtod(totals.front(), &in_log) &&
      absl::SimpleAtod(own_total.front(), &here) &&
      (in_log < here * (1 - kMemoryTolerance) || in_log > here * (1 + kMemoryTolerance)))
    return Difference("memory_total", totals.front() + " GiB", own_total.front() + " GiB");
  // The toolkit that the log's build used is installed on the log's machine.
  const std::vector<std::string> installed = ValuesOf(host, "installed_toolkit");
  // Only a probe that looked at everything knows that there is none.
  const bool was_probed = !ValuesOf(host, "leftover_processes").empty();
  for (const std::string& value : ValuesOf(log, "toolkit_cuda")) {
    if ((was_probed || !installed.empty()) &&
        std::none_of(installed.begin(), installed.end(), [&value](const std::string& known) {
          return CompareVersions(known, value, VersionPart::kMinor) == 0;
        }))
      return Difference("toolkit_cuda", value, installed.empty() ? "none" : installed.front());
  }
  return std::nullopt;
}

}  // namespace cudadoctor

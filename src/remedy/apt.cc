#include "remedy/apt.h"

#include <algorithm>
#include <array>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/views.h"
#include "remedy/template.h"

namespace cudadoctor {
namespace {

constexpr std::string_view kInstall = "apt-get install ";
constexpr std::string_view kKeyring = "cuda-keyring_1.1-1_all.deb";

// A package that only NVIDIA's repository has.
bool IsOfNvidia(std::string_view package) {
  static constexpr std::array<std::string_view, 14> kBegins = {
      "cuda-",     "cudnn",        "libcudnn",  "libnccl",     "libnvinfer",
      "libnvonnx", "libcublas",    "libcurand", "libcusolver", "libcusparse",
      "libcufft",  "libnvjitlink", "libnpp",    "tensorrt"};
  return package == "cuda" ||
         std::any_of(kBegins.begin(), kBegins.end(),
                     [package](std::string_view begin) { return package.starts_with(begin); });
}

// Where NVIDIA keeps the packages for this distribution: "debian12/x86_64".
std::optional<std::string> RepositoryOf(const Resolver& resolver) {
  const auto distro = resolver.Get("distro"), version = resolver.Get("distro_version"),
             machine = resolver.Get("machine");
  if (!distro.has_value() || !version.has_value() || !machine.has_value() ||
      resolver.Get("jetson").has_value())
    return std::nullopt;
  const std::string arch = machine->text == "aarch64" ? "sbsa" : machine->text;
  if (distro->text == "debian")
    return absl::StrCat("debian", version->text.substr(0, version->text.find('.')), "/", arch);
  if (distro->text != "ubuntu") return std::nullopt;
  const std::optional<std::string> number = ApplyFilter("nodot", version->text);
  if (!number.has_value()) return std::nullopt;
  return absl::StrCat("ubuntu", *number, "/", arch);
}

}  // namespace

std::vector<std::string> AptPrerequisites(std::string_view run, const Resolver& resolver) {
  const size_t install = run.find(kInstall);
  if (install == std::string_view::npos || absl::StrContains(Absl(run), "apt-get update"))
    return {};
  const std::string sudo = absl::EndsWith(Absl(run.substr(0, install)), "sudo ") ? "sudo " : "";
  const std::vector<absl::string_view> packages =
      absl::StrSplit(Absl(run.substr(install + kInstall.size())), ' ', absl::SkipEmpty());
  const bool is_of_nvidia =
      std::any_of(packages.begin(), packages.end(),
                  [](absl::string_view name) { return IsOfNvidia(Std(name)); });
  std::vector<std::string> commands;
  if (is_of_nvidia && resolver.Get("no_cuda_repo").has_value()) {
    if (const std::optional<std::string> repository = RepositoryOf(resolver)) {
      commands = {absl::StrCat("wget https://developer.download.nvidia.com/compute/cuda/repos/",
                               *repository, "/", Absl(kKeyring)),
                  absl::StrCat(sudo, "dpkg -i ", Absl(kKeyring))};
    }
  }
  if (!commands.empty() || resolver.Get("apt_lists_missing").has_value())
    commands.push_back(absl::StrCat(sudo, "apt-get update"));
  return commands;
}

}  // namespace cudadoctor

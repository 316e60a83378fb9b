#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/views.h"
#include "host/elf_strings.h"
#include "host/machine.h"
#include "host/package_sources.h"
#include "host/subjects.h"

namespace cudadoctor {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

// Names that rules use for a distribution's ID of /etc/os-release.
constexpr std::array<Pair, 21> kDistros = {{
    {"ubuntu", "ubuntu"},
    {"debian", "debian"},
    {"fedora", "fedora"},
    {"rocky", "rocky"},
    {"rhel", "rhel"},
    {"centos", "rhel"},
    {"almalinux", "rhel"},
    {"ol", "rhel"},
    {"opensuse", "suse"},
    {"opensuse-leap", "suse"},
    {"opensuse-tumbleweed", "suse"},
    {"sles", "suse"},
    {"sled", "suse"},
    {"suse", "suse"},
    {"arch", "arch"},
    {"archarm", "arch"},
    {"alpine", "alpine"},
    {"amzn", "amzn"},  // like Fedora, but not its versions
    {"azurelinux", "azurelinux"},
    {"mariner", "azurelinux"},
    {"nixos", "nixos"},
}};

// Ubuntu's derivatives have versions of their own and name the Ubuntu below (distro-info-data).
constexpr std::array<Pair, 4> kUbuntuReleases = {{
    {"focal", "20.04"},
    {"jammy", "22.04"},
    {"noble", "24.04"},
    {"resolute", "26.04"},
}};

std::string_view Find(absl::string_view key, const auto& table) {
  for (const auto& [from, to] : table) {
    if (from == Std(key)) return to;
  }
  return "";
}

class System {
 public:
  explicit System(const Machine& machine) : machine_(machine), files_(machine.files) {}

  std::vector<Fact> Probe() {
    facts_.Add("os", ValueType::kWord, "linux");
    facts_.Add("machine", ValueType::kWord, machine_.sources.machine);
    AddDistribution();
    AddPackageManager();
    AddPackageSources(machine_, facts_);
    facts_.Add("kernel_version", ValueType::kWord, files_.ReadLine("/proc/sys/kernel/osrelease"),
               "/proc/sys/kernel/osrelease");
    AddGlibc();
    AddKind();
    AddUser();
    AddRootCertificates();
    return std::move(facts_.facts());
  }

 private:
  // The value of KEY="value" in /etc/os-release.
  std::string Release(std::string_view key) const {
    for (const absl::string_view line : absl::StrSplit(release_, '\n')) {
      const std::pair<absl::string_view, absl::string_view> parts =
          absl::StrSplit(line, absl::MaxSplits('=', 1));
      if (Std(parts.first) != key) continue;
      std::string_view value = Std(absl::StripAsciiWhitespace(parts.second));
      if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') &&
          value.back() == value.front())
        value = value.substr(1, value.size() - 2);
      return std::string(value);
    }
    return "";
  }

  void AddDistribution() {
    std::string at = "/etc/os-release";
    release_ = files_.Read(at);
    if (release_.empty()) release_ = files_.Read(at = "/usr/lib/os-release");
    const std::string id = Release("ID");
    std::string_view distro = Find(id, kDistros);
    const bool is_derivative = distro.empty();
    const std::string like = Release("ID_LIKE");
    for (const absl::string_view parent : absl::StrSplit(like, ' ', absl::SkipEmpty())) {
      if (distro.empty()) distro = Find(parent, kDistros);
    }
    distro_ = std::string(distro.empty() ? std::string_view(id) : distro);
    facts_.Add("distro", ValueType::kWord, distro_, at);
    std::string version = Release("VERSION_ID");
    if (is_derivative && distro == "ubuntu")
      version = std::string(Find(Release("UBUNTU_CODENAME"), kUbuntuReleases));
    // Another derivative's version says nothing about its parent's.
    if (!is_derivative || distro == "ubuntu" || distro == "rhel" || distro.empty())
      facts_.Add("distro_version", ValueType::kVersion, version, at);
    facts_.Add("distro_name", ValueType::kText, Release("PRETTY_NAME"), at);
  }

  void AddPackageManager() {
    constexpr std::array<Pair, 7> kPrograms = {{{"apt-get", "apt"},
                                                {"dnf", "dnf"},
                                                {"microdnf", "dnf"},
                                                {"yum", "dnf"},
                                                {"zypper", "zypper"},
                                                {"pacman", "pacman"},
                                                {"apk", "apk"}}};
    // The distribution's own first: Fedora and Arch also offer apt.
    constexpr std::array<Pair, 8> kOwn = {{{"ubuntu", "apt"},
                                           {"debian", "apt"},
                                           {"fedora", "dnf"},
                                           {"rhel", "dnf"},
                                           {"rocky", "dnf"},
                                           {"suse", "zypper"},
                                           {"arch", "pacman"},
                                           {"alpine", "apk"}}};
    const std::string_view own = Find(distro_, kOwn);
    for (const bool any : {false, true}) {
      for (const auto& [program, name] : kPrograms) {
        if (!any && name != own) continue;
        for (const char* folder : {"/usr/bin", "/bin", "/sbin"}) {
          const std::string path = JoinPath(folder, program);
          if (!files_.IsProgram(path)) continue;
          facts_.Add("package_manager", ValueType::kWord, name, path);
          if (name == "apt") AddPackageLists();
          return;
        }
      }
    }
  }

  // An image without them finds no package.
  void AddPackageLists() {
    constexpr const char* kFolder = "/var/lib/apt/lists";
    const std::vector<std::string> names = files_.List(kFolder);
    const auto is_list = [](const std::string& name) {
      return absl::StrContains(name, "_Packages");
    };
    if (std::none_of(names.begin(), names.end(), is_list))
      facts_.AddFlag("apt_lists_missing", kFolder);
  }

  // glibc's library holds its own banner: "GNU C Library (Debian GLIBC 2.36-9) stable release
  // version 2.36."
  void AddGlibc() {
    for (const std::string& path :
         {absl::StrCat("/lib/", machine_.sources.machine, "-linux-gnu/libc.so.6"),
          std::string("/lib64/libc.so.6"), std::string("/usr/lib/libc.so.6")}) {
      if (!files_.Exists(path)) continue;
      const std::string constants = ReadConstants(files_.Real(path));
      const std::string banner = " release version ";
      const size_t library = constants.find("GNU C Library");
      if (library == std::string::npos) continue;
      const size_t found = constants.find(banner, library);
      if (found == std::string::npos) continue;
      facts_.Add("glibc_version", ValueType::kVersion,
                 VersionIn(std::string_view(constants).substr(found + banner.size(), 16)), path);
      return;
    }
  }

  void AddKind() {
    if (absl::StrContains(absl::AsciiStrToLower(files_.ReadLine("/proc/version")), "microsoft"))
      facts_.AddFlag("wsl", "/proc/version");
    if (files_.Exists("/etc/nv_tegra_release")) {
      facts_.AddFlag("jetson", "/etc/nv_tegra_release");
    } else if (const std::string model = files_.ReadLine("/proc/device-tree/model");
               absl::StrContains(model, "Jetson")) {
      facts_.AddFlag("jetson", "/proc/device-tree/model");
    }
    AddContainer();
    if (!machine_.Environment("SLURM_JOB_ID").empty()) {
      facts_.AddFlag("slurm", "SLURM_JOB_ID");
    } else if (const std::string sbatch = machine_.FindProgram("sbatch"); !sbatch.empty()) {
      facts_.AddFlag("slurm", sbatch);
    }
  }

  void AddUser() {
    if (machine_.Environment("LD_LIBRARY_PATH").empty())
      facts_.AddFlag("no_library_path", "LD_LIBRARY_PATH");
    if (machine_.sources.user == 0) {
      facts_.AddFlag("root_user", "user id 0");
    } else if (machine_.FindProgram("sudo").empty()) {
      facts_.AddFlag("no_sudo", "PATH");
    }
    // The shell that started this program; one that rules need no word for is left out.
    const std::string line = "\nPPid:\t";
    const std::string status = files_.Read("/proc/self/status");
    const size_t found = status.find(line);
    if (found == std::string::npos) return;
    const size_t begin = found + line.size();
    const std::string at =
        absl::StrCat("/proc/", status.substr(begin, status.find('\n', begin) - begin), "/comm");
    constexpr std::array<Pair, 2> kShells = {{{"fish", "fish"}, {"pwsh", "powershell"}}};
    facts_.Add("shell", ValueType::kWord, Find(files_.ReadLine(at), kShells), at);
  }

  // Those of a company's network, which its administrators put there.
  void AddRootCertificates() {
    constexpr const char* kFolder = "/usr/local/share/ca-certificates";
    for (const std::string& name : files_.List(kFolder)) {
      if (!absl::EndsWith(name, ".crt")) continue;
      facts_.AddFlag("own_root_certificate", JoinPath(kFolder, name));
      return;
    }
  }

  void AddContainer() {
    std::string kind, at;
    const std::string groups = files_.Read("/proc/1/cgroup");
    if (!machine_.Environment(at = "APPTAINER_CONTAINER").empty() ||
        !machine_.Environment(at = "SINGULARITY_CONTAINER").empty() ||
        files_.Exists(at = "/.singularity.d")) {
      kind = "apptainer";
    } else if (!machine_.Environment(at = "KUBERNETES_SERVICE_HOST").empty()) {
      kind = "kubernetes";
    } else if (files_.Exists(at = "/run/.containerenv")) {
      kind = "podman";
    } else if (files_.Exists(at = "/.dockerenv")) {
      kind = "docker";
    } else {
      at = "/proc/1/cgroup";
      for (const auto& [word, name] :
           {Pair("kubepods", "kubernetes"), Pair("docker", "docker"), Pair("libpod", "podman"),
            Pair("containerd", "containerd"), Pair("/lxc/", "lxc")}) {
        if (kind.empty() && absl::StrContains(groups, Absl(word))) kind = std::string(name);
      }
    }
    if (kind.empty()) return;
    facts_.Add("container", ValueType::kWord, kind, at);
  }

  const Machine& machine_;
  const RootFiles& files_;
  HostFacts facts_;
  std::string release_;
  std::string distro_;
};

}  // namespace

std::vector<Fact> ProbeSystem(const Machine& machine) { return System(machine).Probe(); }

}  // namespace cudadoctor

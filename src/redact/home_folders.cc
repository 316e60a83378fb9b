#include "redact/home_folders.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "absl/strings/ascii.h"
#include "base/views.h"
#include "re2/re2.h"

namespace cudadoctor {
namespace {

// Accounts that images, CI systems, clouds and installers create: they name no person, and their
// paths say which kind of machine it was.
constexpr std::array<std::string_view, 84> kSharedAccounts = {
    // CI systems
    "runner", "runneradmin", "runner-admin", "circleci", "distiller", "jenkins", "gitlab-runner",
    "gitlab_ci_multi_runner", "buildkite-agent", "buildkite", "travis", "appveyor", "vsts",
    "vssadministrator", "azdevops", "teamcity", "buildbot", "zuul", "builder", "build", "worker",
    "github", "actions", "semaphore", "drone", "woodpecker", "containeradministrator",
    "containeruser", "vsts_azpcontainer",
    // images and notebooks
    "root", "user", "app", "appuser", "docker", "vscode", "codespace", "gitpod", "coder", "node",
    "jovyan", "jupyter", "conda", "mambauser", "micromamba", "linuxbrew", "nonroot", "nobody",
    "sagemaker-user", "nvidia", "rapids", "ray", "airflow", "spark", "model-server", "container",
    "devcontainer", "python", "dev", "developer", "workspace",
    // clouds and distributions
    "ubuntu", "debian", "centos", "fedora", "rocky", "almalinux", "alma", "ec2-user", "azureuser",
    "opc", "cloud-user", "core", "vagrant", "pi", "admin", "administrator",
    // what systems put beside people's folders
    "public", "shared", "default", "guest", "all users", "defaultapppool",
    // what instructions write
    "username", "yourname"};

// Folders that hold programs and sources: a "home" below them is no folder of home folders.
constexpr std::array<std::string_view, 16> kProgramFolders = {
    "usr", "opt", "var", "srv",  "app",       "src",   "lib",  "tmp",
    "etc", "www", "bin", "code", "workspace", "build", "root", "proc"};

// What stands in a folder of many people's work and is no person.
constexpr std::array<std::string_view, 72> kFolders = {"src",
                                                       "build",
                                                       "lib",
                                                       "lib64",
                                                       "bin",
                                                       "include",
                                                       "venv",
                                                       "env",
                                                       "envs",
                                                       "conda",
                                                       "miniconda",
                                                       "miniconda3",
                                                       "anaconda3",
                                                       "miniforge3",
                                                       "mambaforge",
                                                       "micromamba",
                                                       "data",
                                                       "dataset",
                                                       "datasets",
                                                       "model",
                                                       "models",
                                                       "checkpoint",
                                                       "checkpoints",
                                                       "cache",
                                                       "tmp",
                                                       "temp",
                                                       "log",
                                                       "logs",
                                                       "log_dir",
                                                       "output",
                                                       "outputs",
                                                       "out",
                                                       "results",
                                                       "repo",
                                                       "repos",
                                                       "project",
                                                       "projects",
                                                       "code",
                                                       "workspace",
                                                       "main",
                                                       "common",
                                                       "software",
                                                       "sw",
                                                       "apps",
                                                       "modules",
                                                       "module",
                                                       "spack",
                                                       "easybuild",
                                                       "opt",
                                                       "local",
                                                       "nfs",
                                                       "home",
                                                       "homes",
                                                       "users",
                                                       "scratch",
                                                       "work",
                                                       "container",
                                                       "containers",
                                                       "images",
                                                       "test",
                                                       "tests",
                                                       "example",
                                                       "examples",
                                                       "pip",
                                                       "torch",
                                                       "cuda",
                                                       "site-packages",
                                                       "job",
                                                       "jobs",
                                                       "slurm",
                                                       "driver_tmp",
                                                       "c"};

// What ends a part of a path.
constexpr std::string_view kPathStops = "/\\:;,\"'`<>()[]{}|&*?$=!#~%^ \t";

// Bytes of what stands before a home folder that are looked at, so that a line of nothing but home
// folders takes no quadratic time.
constexpr size_t kMaxParent = 200;

bool IsAlnum(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)); }

bool Contains(const auto& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool IsPerson(std::string_view account, char next) {
  if (account.empty() || IsSharedAccount(account)) return false;
  static const RE2 kFile(R"(\.(?:py|txt|sh|cu|cpp|cc|c|h|log|json|ya?ml|toml|whl|gz|zip|html?))",
                         RE2::Latin1);
  const size_t dot = account.rfind('.');
  if (dot == std::string_view::npos || next == '/' || next == '\\') return true;
  const std::string_view extension = account.substr(dot);
  return !RE2::FullMatch(re2::StringPiece(extension.data(), extension.size()), kFile);
}

// Where the path that reaches up to `end` begins.
size_t PathBegin(std::string_view text, size_t end) {
  size_t begin = end;
  while (begin > 0 && end - begin < kMaxParent &&
         (IsAlnum(text[begin - 1]) ||
          std::string_view("_.-+@~/\\").find(text[begin - 1]) != std::string_view::npos)) {
    --begin;
  }
  return begin;
}

// Whether `before`, which ends where a path begins, leaves it the beginning: an option may be
// written without a blank (-I/home/alice), and so may a file's URL.
bool IsPathBegin(std::string_view before) {
  before.remove_prefix(before.size() - std::min(before.size(), kMaxParent));
  static const RE2 kBefore(
      R"((?s)(?:.*(?:^|[\s"'=,(;])(?:-[A-Za-z]+|/I?)|.*file:///?|.*[^\w.+@~/\\})-]|))",
      RE2::Latin1);
  return RE2::FullMatch(re2::StringPiece(before.data(), before.size()), kBefore);
}

// A home folder that does not begin its path: `parent` is what stands before /home or /Users.
std::optional<HomeFolder> Inside(std::string_view text, size_t slash, HomeFolder account) {
  const size_t begin = PathBegin(text, slash);
  const std::string_view parent = text.substr(begin, slash - begin);
  if (parent.starts_with("//") && begin > 0 && text[begin - 1] == ':') {
    const std::string_view scheme = text.substr(0, begin - 1);
    if (scheme.ends_with("http") || scheme.ends_with("https")) return std::nullopt;
    return account;  // ssh://host/home/alice
  }
  const re2::StringPiece piece(parent.data(), parent.size());
  static const RE2 kDrive(R"((/(?:mnt|cygdrive|host_mnt|run/desktop/mnt/host))?/[a-zA-Z])",
                          RE2::Latin1);
  std::string mount;
  const bool is_users = text.substr(slash).starts_with("/Users");
  if (is_users && RE2::FullMatch(piece, kDrive, &mount)) {
    if (!mount.empty()) {
      account.is_of_windows = true;
      return account;
    }
    return HomeFolder{begin, account.end, account.name, true, false};  // Git Bash: /c/Users/alice
  }
  // Builds repeat the absolute path of a source below their own folder.
  static const RE2 kBuild(R"((?s).*(?:/|\\|^)(?:temp\.[\w.-]+|[\w.+-]+\.dir))", RE2::Latin1);
  static const RE2 kMount(R"(/([\w.-]+)(?:/[\w.-]+)?|/(System)/Volumes/Data)", RE2::Latin1);
  std::string first, system;
  if (RE2::FullMatch(piece, kBuild)) return account;
  if (RE2::FullMatch(piece, kMount, &first, &system) && !Contains(kProgramFolders, first))
    return account;
  return std::nullopt;
}

// All of one spelling: `regex` has the groups folder and account.
void Find(std::string_view text, const RE2& regex, bool is_drive, std::vector<HomeFolder>& found) {
  const re2::StringPiece piece(text.data(), text.size());
  std::array<re2::StringPiece, 3> groups;
  for (size_t at = 0; regex.Match(piece, at, text.size(), RE2::UNANCHORED, groups.data(), 3);) {
    const auto begin = static_cast<size_t>(groups[1].data() - text.data());
    const auto name = static_cast<size_t>(groups[2].data() - text.data());
    std::string_view account(groups[2].data(), groups[2].size());
    while (account.ends_with('.') || account.ends_with('\\') || account.ends_with('/'))
      account.remove_suffix(1);
    size_t first = name;
    if ((account == "users" || account == "students" || account == "staff" ||
         account == "people") &&
        text.size() > name + account.size() + 1 && text[name + account.size()] == '/') {
      first = name + account.size() + 1;
      account = text.substr(first, text.find_first_of(kPathStops, first) - first);
    } else if (account.size() == 1 && text.size() > name + 2 && text[name + 1] == '/' &&
               IsAlnum(text[name + 2])) {
      // Clusters sort accounts by their first letter: /home/a/alice.
      first = name + 2;
      account = text.substr(first, text.find_first_of(kPathStops, first) - first);
    }
    at = first + std::max<size_t>(account.size(), 1);
    const size_t end = first + account.size();
    if (!IsPerson(account, end < text.size() ? text[end] : '\0')) continue;
    if (IsPathBegin(text.substr(0, begin))) {
      found.push_back({begin, end, first, true, false});
    } else if (!is_drive) {
      if (const auto inside = Inside(text, begin, {first, end, first, false, false}))
        found.push_back(*inside);
    }
  }
}

// Folders of people that are not called home: clusters' and mounts'. Of those that hold other
// things, too, only a part that something follows, and that is no folder's usual name, counts.
void FindOther(std::string_view text, std::vector<HomeFolder>& found) {
  static const RE2 kParent(
      R"re((?i)/(?:(home\d+|var/home|users?|people|scratch\d*|netscratch|nobackup|jusers|run/media|gpfs/\w+/users)|)re"
      R"re(work\d*|data\d*|storage\d*|projects?|fsx|raid\d*|ssd\d*|nvme\d*|lustre\w*|gpfs\w*|beegfs|checkpoint|media|export|u|vol\w*|mnt)/)re"
      R"re((?:[a-z]/)?([A-Za-z_][\w.@-]{1,40})(/?))re",
      RE2::Latin1);
  const re2::StringPiece piece(text.data(), text.size());
  std::array<re2::StringPiece, 4> groups;
  for (size_t at = 0; kParent.Match(piece, at, text.size(), RE2::UNANCHORED, groups.data(), 4);) {
    const auto begin = static_cast<size_t>(groups[0].data() - text.data());
    const auto name = static_cast<size_t>(groups[2].data() - text.data());
    std::string_view account(groups[2].data(), groups[2].size());
    while (account.ends_with('.')) account.remove_suffix(1);
    const bool is_of_people = groups[1].data() != nullptr;
    at = is_of_people ? name + account.size() : name - 1;
    const std::string lower = absl::AsciiStrToLower(Absl(account));
    if (!IsPerson(account, groups[3].empty() ? '\0' : '/') || Contains(kFolders, lower) ||
        (!is_of_people && (groups[3].empty() || account.find('.') != std::string_view::npos)))
      continue;
    const size_t path = PathBegin(text, begin);
    std::string_view parent = text.substr(path, begin - path);
    const bool is_url = parent.starts_with("//") && path > 0 && text[path - 1] == ':' &&
                        !text.substr(0, path).ends_with("file:");
    while (parent.starts_with("//")) parent.remove_prefix(1);  // file:///
    // A mount's folder, not one somewhere in a tree of sources.
    if (is_url || std::count(parent.begin(), parent.end(), '/') > 3 ||
        (parent.find_first_of("~.") != std::string_view::npos && !parent.starts_with("/afs/")) ||
        (!parent.empty() && parent.front() != '/') || parent.starts_with("/home") ||
        parent.starts_with("/Users"))
      continue;
    const size_t slash = parent.find('/', 1);
    if (parent.size() > 1 && Contains(kProgramFolders, parent.substr(1, slash - 1))) continue;
    found.push_back({name, name + account.size(), name, false, false});
  }
}

}  // namespace

bool IsSharedAccount(std::string_view account) {
  const bool is_given = account.starts_with("user") && account.size() > 4 &&
                        std::all_of(account.begin() + 4, account.end(), [](char c) {
                          return absl::ascii_isdigit(static_cast<unsigned char>(c));
                        });
  return is_given || Contains(kSharedAccounts, absl::AsciiStrToLower(Absl(account)));
}

std::vector<HomeFolder> FindHomeFolders(std::string_view text) {
  static const RE2 kPosix(R"re((/(?:home|homes|Users)/)([^\s/\\:;,"'`<>()\[\]{}|&*?$=!#~%^]+))re",
                          RE2::Latin1);
  // An account of Windows may hold blanks, which end it where no separator follows.
  static const RE2 kDrive(
      R"re((?i)((?:\\{1,4}\?\\{1,2})?[a-z]:(?:\\{1,2}|/)(?:Users|Documents and Settings|DOCUME~\d)(?:\\{1,2}|/)))re"
      R"re(([^\\/:*?"<>|\s'`;,()$%{]+(?: [^\\/:*?"<>|\s'`;,()$%{-][^\\/:*?"<>|\s'`;,()$%{]*){1,3}[\\/]|)re"
      R"re([^\\/:*?"<>|\s'`;,()$%{]+))re",
      RE2::Latin1);
  std::vector<HomeFolder> found;
  Find(text, kDrive, true, found);
  std::vector<HomeFolder> posix;
  Find(text, kPosix, false, posix);
  for (const HomeFolder& folder : posix) {
    // C:/Users/alice is of both spellings.
    const bool is_known = std::any_of(found.begin(), found.end(), [&](const HomeFolder& known) {
      return folder.begin < known.end && known.begin < folder.end;
    });
    if (!is_known) found.push_back(folder);
  }
  std::vector<HomeFolder> other;
  FindOther(text, other);
  for (const HomeFolder& folder : other) {
    const bool is_known = std::any_of(found.begin(), found.end(), [&](const HomeFolder& known) {
      return folder.begin < known.end && known.begin < folder.end;
    });
    if (!is_known) found.push_back(folder);
  }
  std::sort(found.begin(), found.end(),
            [](const HomeFolder& a, const HomeFolder& b) { return a.begin < b.begin; });
  return found;
}

}  // namespace cudadoctor

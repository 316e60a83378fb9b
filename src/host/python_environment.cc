#include "host/python_environment.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/views.h"
#include "model/value.h"

namespace cudadoctor {
namespace {

// The value of "key = value" in pyvenv.cfg.
std::string Setting(const std::string& text, std::string_view key) {
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(line, absl::MaxSplits('=', 1));
    if (Std(absl::StripAsciiWhitespace(parts.first)) == key)
      return std::string(absl::StripAsciiWhitespace(parts.second));
  }
  return "";
}

// python3.12 and the like below `folder`, oldest first; free-threaded builds end in t.
std::vector<std::string> PythonFolders(const RootFiles& files, const std::string& folder) {
  std::vector<std::string> found;
  for (const std::string& name : files.List(folder)) {
    if (absl::StartsWith(name, "python3.") && absl::ascii_isdigit(name[8])) found.push_back(name);
  }
  std::sort(found.begin(), found.end(), [](const std::string& a, const std::string& b) {
    return CompareVersions(VersionIn(a), VersionIn(b)) < 0;
  });
  return found;
}

// PY_VERSION of the headers, which has all three components.
std::string VersionOfHeaders(const RootFiles& files, const std::string& prefix,
                             const std::string& python) {
  const std::string text =
      files.Read(absl::StrCat(prefix, "/include/", python, "/patchlevel.h"), 16 << 10);
  const size_t found = text.find("#define PY_VERSION ");
  return found == std::string::npos ? "" : VersionIn(text, found + 19);
}

void AddFolder(const RootFiles& files, const std::string& folder, PythonEnvironment& environment) {
  if (files.IsFolder(folder)) environment.folders.push_back(folder);
}

// Where a Python of `prefix` itself looks: Debian's dist-packages included.
void AddInstallation(const Machine& machine, const std::string& prefix, const std::string& python,
                     PythonEnvironment& environment) {
  const RootFiles& files = machine.files;
  if (prefix == "/usr") {
    for (const char* lib : {"/usr/local/lib/", "/usr/local/lib64/"}) {
      AddFolder(files, absl::StrCat(lib, python, "/site-packages"), environment);
      AddFolder(files, absl::StrCat(lib, python, "/dist-packages"), environment);
    }
  }
  for (const char* lib : {"/lib/", "/lib64/"})
    AddFolder(files, absl::StrCat(prefix, lib, python, "/site-packages"), environment);
  if (prefix == "/usr") AddFolder(files, "/usr/lib/python3/dist-packages", environment);
}

void AddUserFolder(const Machine& machine, const std::string& python,
                   PythonEnvironment& environment) {
  if (!machine.Environment("PYTHONNOUSERSITE").empty() || machine.Home().empty()) return;
  AddFolder(machine.files, absl::StrCat(machine.Home(), "/.local/lib/", python, "/site-packages"),
            environment);
}

// The environment whose folder is `prefix`; of an empty kind when no Python is there.
PythonEnvironment At(const Machine& machine, const std::string& prefix, std::string chosen_by,
                     std::string python_name = "") {
  const RootFiles& files = machine.files;
  PythonEnvironment environment;
  environment.prefix = prefix;
  environment.chosen_by = std::move(chosen_by);
  const std::string settings = files.Read(prefix + "/pyvenv.cfg", 16 << 10);
  if (python_name.empty()) {
    const std::vector<std::string> names = PythonFolders(files, prefix + "/lib");
    if (names.empty()) return environment;
    python_name = names.back();
  }
  for (const std::string& program : {std::string("python"), std::string("python3"), python_name}) {
    if (!files.IsProgram(absl::StrCat(prefix, "/bin/", program))) continue;
    environment.python = absl::StrCat(prefix, "/bin/", program);
    break;
  }
  if (environment.python.empty()) return environment;
  environment.version = VersionIn(python_name);
  if (!settings.empty()) {
    environment.kind = Setting(settings, "uv").empty() ? "venv" : "uv";
    for (const char* key : {"version_info", "version"}) {
      const std::string version = VersionIn(Setting(settings, key));
      if (!version.empty()) {
        environment.version = version;
        break;
      }
    }
    AddInstallation(machine, prefix, python_name, environment);
    if (Setting(settings, "include-system-site-packages") == "true") {
      AddUserFolder(machine, python_name, environment);
      const std::string home = Setting(settings, "home");
      if (home.starts_with('/'))
        AddInstallation(machine, std::string(FolderOf(home)), python_name, environment);
    }
    return environment;
  }
  environment.kind = files.IsFolder(prefix + "/conda-meta") ? "conda" : "system";
  if (const std::string full = VersionOfHeaders(files, prefix, python_name); !full.empty())
    environment.version = full;
  AddUserFolder(machine, python_name, environment);
  AddInstallation(machine, prefix, python_name, environment);
  return environment;
}

// The version that pyenv's shim would run: PYENV_VERSION, a .python-version, the global file.
std::string PyenvVersion(const Machine& machine, const std::string& root) {
  std::string chosen = machine.Environment("PYENV_VERSION");
  for (std::string folder = machine.sources.working_folder; chosen.empty() && !folder.empty();
       folder = folder == "/" ? "" : std::string(FolderOf(folder)))
    chosen = machine.files.ReadLine(JoinPath(folder, ".python-version"));
  if (chosen.empty()) chosen = machine.files.ReadLine(root + "/version");
  chosen = chosen.substr(0, chosen.find(':'));
  const std::vector<std::string> installed = machine.files.List(root + "/versions");
  std::string best;
  for (const std::string& version : installed) {
    // "3.12" means the newest 3.12.x.
    if (version == chosen || absl::StartsWith(version, chosen + ".")) {
      if (best.empty() || CompareVersions(best, version) < 0) best = version;
    }
  }
  return best;
}

PythonEnvironment OnPath(const Machine& machine) {
  for (const char* name : {"python3", "python"}) {
    const std::string python = machine.FindProgram(name);
    if (python.empty()) continue;
    const std::string folder(FolderOf(python));
    if (absl::EndsWith(folder, "/shims")) {
      const std::string root(FolderOf(folder));
      const std::string version = PyenvVersion(machine, root);
      if (version.empty()) continue;
      return At(machine, absl::StrCat(root, "/versions/", version), "PATH (pyenv)");
    }
    const std::string prefix(FolderOf(folder));
    // A virtual environment's python is a link that must not be followed.
    if (machine.files.Exists(prefix + "/pyvenv.cfg")) return At(machine, prefix, "PATH");
    const std::string real = machine.files.Resolve(python);
    std::string real_prefix(FolderOf(FolderOf(real)));
    if (real_prefix.empty() || real_prefix == "/") real_prefix = "/usr";
    PythonEnvironment found =
        At(machine, real_prefix, "PATH",
           absl::StartsWith(Absl(NameOf(real)), "python3.") ? std::string(NameOf(real))
                                                            : std::string());
    if (found.kind.empty()) continue;
    found.python = python;
    return found;
  }
  return {};
}

}  // namespace

PythonEnvironment FindPythonEnvironment(const Machine& machine) {
  for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    const std::string prefix = machine.PathFrom(name);
    if (prefix.empty()) continue;
    PythonEnvironment found = At(machine, prefix, name);
    if (!found.kind.empty()) return found;
  }
  for (std::string folder = machine.sources.working_folder; !folder.empty();
       folder = folder == "/" ? "" : std::string(FolderOf(folder))) {
    const std::string prefix = JoinPath(folder, ".venv");
    PythonEnvironment found = At(machine, prefix, prefix);
    if (found.kind == "uv") return found;
  }
  return OnPath(machine);
}

std::map<std::string, Distribution> Distributions(const Machine& machine,
                                                  const PythonEnvironment& environment) {
  std::map<std::string, Distribution> distributions;
  for (const std::string& folder : environment.folders) {
    for (const std::string& name : machine.files.List(folder)) {
      absl::string_view stem = name;
      const bool is_egg = absl::EndsWith(stem, ".egg-info");
      if (!is_egg && !absl::EndsWith(stem, ".dist-info")) continue;
      stem.remove_suffix(is_egg ? 9 : 10);
      const size_t dash = stem.find('-');
      if (dash == absl::string_view::npos) continue;
      absl::string_view version = stem.substr(dash + 1);
      // name-1.2-py3.11.egg-info
      if (const size_t python = version.find("-py"); python != absl::string_view::npos)
        version = version.substr(0, python);
      // The first folder of sys.path wins.
      distributions.emplace(PackageKey(Std(stem.substr(0, dash))),
                            Distribution{std::string(version), folder});
    }
  }
  return distributions;
}

}  // namespace cudadoctor

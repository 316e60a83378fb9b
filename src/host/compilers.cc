#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/views.h"
#include "host/machine.h"
#include "host/subjects.h"

namespace cudadoctor {
namespace {

bool StartsWithDigit(std::string_view text) {
  return !text.empty() && absl::ascii_isdigit(static_cast<unsigned char>(text.front()));
}

// What follows the last hyphen when it is a version: "12" of "x86_64-linux-gnu-g++-12".
std::string VersionOfName(std::string_view name) {
  const std::string_view end = name.substr(name.rfind('-') + 1);
  return StartsWithDigit(end) && end.size() < name.size() ? VersionIn(end) : "";
}

class Compilers {
 public:
  explicit Compilers(const Machine& machine) : machine_(machine), files_(machine.files) {}

  std::vector<Fact> Probe() {
    AddInUse();
    AddVersioned("/usr/bin");
    AddToolsets();
    for (const auto& [program, fact] :
         {std::pair("cmake", "cmake_path"), std::pair("ninja", "ninja_path"),
          std::pair("ccache", "ccache_path")})
      facts_.Add(fact, ValueType::kPath, machine_.FindProgram(program), "PATH");
    return std::move(facts_.facts());
  }

 private:
  // NVCC_CCBIN is nvcc's own; CMake reads CUDAHOSTCXX; torch gives nvcc CC as -ccbin and compiles
  // with CXX. Without any of them nvcc takes g++ from PATH.
  void AddInUse() {
    for (const char* name : {"NVCC_CCBIN", "CUDAHOSTCXX", "CXX", "CC"}) {
      const std::string value = machine_.Environment(name);
      // CXX may be "ccache g++-12 -m64".
      for (const absl::string_view word : absl::StrSplit(value, ' ', absl::SkipEmpty())) {
        if (absl::StrContains(word, "ccache") || absl::StartsWith(word, "-")) continue;
        std::string path = machine_.FindProgram(Std(word));
        // nvcc takes a folder for the g++ in it.
        if (path.empty() && files_.IsFolder(Std(word))) path = JoinPath(Std(word), "g++");
        if (path.empty()) break;
        return AddCompiler(path, name);
      }
    }
    for (const char* name : {"g++", "gcc", "c++"}) {
      if (const std::string path = machine_.FindProgram(name); !path.empty())
        return AddCompiler(path, "PATH");
    }
  }

  void AddCompiler(const std::string& path, std::string_view chosen_by) {
    const std::string real = files_.Resolve(path);
    const bool is_clang = absl::StrContains(Absl(NameOf(real)), "clang");
    facts_.Add(is_clang ? "clang_version" : "gcc_version", ValueType::kVersion,
               is_clang ? ClangVersion(path, real) : GccVersion(path, real), path);
    facts_.Add("compiler_path", ValueType::kPath, path, chosen_by);
  }

  // The folders of lib/gcc/<target> are the versions that are installed beside the program.
  std::string GccVersion(const std::string& path, const std::string& real) const {
    const std::string prefix(FolderOf(FolderOf(real)));
    const std::string wanted = VersionOfName(NameOf(real));
    std::vector<std::string> found;
    for (const char* lib : {"/lib/gcc", "/lib64/gcc"}) {
      for (const std::string& target : files_.List(prefix + lib)) {
        if (!FitsTarget(NameOf(real), target)) continue;
        for (const std::string& version : files_.List(absl::StrCat(prefix, lib, "/", target))) {
          if (!StartsWithDigit(version)) continue;
          if (wanted.empty() || version == wanted || absl::StartsWith(version, wanted + "."))
            found.push_back(version);
        }
      }
    }
    if (found.size() == 1) return found.front();
    const std::string said = VersionIn(machine_.Ask({path, "-dumpfullversion", "-dumpversion"}));
    return said.empty() ? wanted : said;
  }

  // A cross compiler's folders lie beside the native ones: x86_64-linux-gnu-g++-12 is of
  // x86_64-linux-gnu.
  static bool FitsTarget(std::string_view program, std::string_view target) {
    for (const std::string_view name : {"-g++", "-gcc", "-c++"}) {
      if (const size_t end = program.find(name); end != std::string_view::npos)
        return program.substr(0, end) == target;
    }
    return true;
  }

  std::string ClangVersion(const std::string& path, const std::string& real) const {
    const std::string said = VersionIn(machine_.Ask({path, "-dumpversion"}));
    return said.empty() ? VersionOfName(NameOf(real)) : said;
  }

  void AddVersioned(const std::string& folder) {
    for (const std::string& name : files_.List(folder)) {
      const bool is_gcc = absl::StartsWith(name, "g++-");
      if (!is_gcc && !absl::StartsWith(name, "clang++-")) continue;
      const std::string path = JoinPath(folder, name);
      const std::string version = VersionOfName(name);
      if (version.empty() || !files_.IsProgram(path)) continue;
      facts_.Add(is_gcc ? "installed_gcc" : "installed_clang", ValueType::kVersion, version, path);
    }
  }

  // Red Hat's newer compilers live apart and are switched on by a script.
  void AddToolsets() {
    for (const std::string& name : files_.List("/opt/rh")) {
      const std::string path = absl::StrCat("/opt/rh/", name, "/root/usr/bin/g++");
      if (absl::StrContains(name, "toolset-") && files_.IsProgram(path))
        facts_.Add("installed_gcc", ValueType::kVersion, VersionOfName(name), path);
    }
  }

  const Machine& machine_;
  const RootFiles& files_;
  HostFacts facts_;
};

}  // namespace

std::vector<Fact> ProbeCompilers(const Machine& machine) { return Compilers(machine).Probe(); }

}  // namespace cudadoctor

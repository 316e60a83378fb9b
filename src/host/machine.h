// host/machine.h: what the parts of the probing share: the machine looked at, and the facts found.
#ifndef CUDADOCTOR_HOST_MACHINE_H_
#define CUDADOCTOR_HOST_MACHINE_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host/host_sources.h"
#include "host/root_files.h"
#include "model/fact.h"

namespace cudadoctor {

// Files, environment and programs of one machine.
struct Machine {
  explicit Machine(HostSources where) : sources(std::move(where)), files(sources.root) {}

  std::string Environment(const std::string& name) const { return sources.environment(name); }

  // An absolute path from the environment, without a final slash; empty when it holds none.
  std::string PathFrom(const std::string& name) const;

  // The path of `program` as the shell would find it, links not followed; empty when there is none.
  // A path is given back when it names a program. Wrappers of ccache are passed over.
  std::string FindProgram(std::string_view program) const;

  // What a program that prints a version says, within a second; empty when it fails.
  std::string Ask(const std::vector<std::string>& arguments) const;

  std::string Home() const;

  HostSources sources;
  RootFiles files;
};

// Facts with origin kHost. A value that does not fit its type is left out: files may hold anything.
class HostFacts {
 public:
  // `at` is the path or device that the value is about or comes from.
  void Add(std::string_view name, ValueType type, std::string_view value, std::string_view at = "");
  void AddFlag(std::string_view name, std::string_view at) {
    Add(name, ValueType::kFlag, "yes", at);
  }
  void AddBytes(std::string_view name, int64_t bytes, std::string_view at);

  std::vector<Fact>& facts() { return facts_; }

 private:
  std::vector<Fact> facts_;
};

// The first number with dots in `text` from `from` on ("12.8.93" of "nvcc 12.8.93-1"); empty when
// there is none.
std::string VersionIn(std::string_view text, size_t from = 0);

// The first two components: "12.8" of "12.8.93".
std::string MajorMinor(std::string_view version);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_HOST_MACHINE_H_

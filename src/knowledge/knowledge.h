// knowledge/knowledge.h: the tables of rules/knowledge and the questions that rules ask them.
#ifndef CUDADOCTOR_KNOWLEDGE_KNOWLEDGE_H_
#define CUDADOCTOR_KNOWLEDGE_KNOWLEDGE_H_

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "json/json_fwd.h"

namespace cudadoctor {

// What one compile job of a package needs, from packages.json.
struct JobMemory {
  double base_gib = 0;          // the host compiler's part
  double gib_per_compiler = 0;  // each device compiler that runs at once
  int default_nvcc_threads = 1;
  int default_architectures = 1;
};

// Tables are parsed when first asked. Threads may share one.
class Knowledge {
 public:
  // `text_of` gives the text of a table by name ("gpus"), empty when there is none; it must outlive
  // this.
  explicit Knowledge(std::function<std::string_view(std::string_view)> text_of);
  ~Knowledge();

  // The answer to the question `name` about `arguments`, or nothing when the tables do not know.
  // CONTRIBUTING.md lists the questions.
  std::optional<std::string> LookUp(std::string_view name,
                                    const std::vector<std::string>& arguments) const;

  // Whether LookUp knows a question of this name, for checking rules.
  static bool IsLookup(std::string_view name);

  // Whether the table names `variable` as the one by which a package's build is told its jobs or
  // its architectures.
  bool IsBuildVariable(std::string_view variable) const;

  // The memory of one compile job of `package`, if a figure is known.
  std::optional<JobMemory> MemoryOfJob(std::string_view package) const;

  // The entry of packages.json with this name or import name, in any spelling that PyPI takes for
  // the same; nullptr when there is none. knowledge/package_build.h reads it.
  const Json* Package(std::string_view name) const;

 private:
  const Json& Table(std::string_view name) const;
  const Json* Toolkit(std::string_view version) const;
  const Json* TorchRelease(std::string_view version) const;
  const Json* TorchVariant(const std::string& version) const;

  using Question = std::optional<std::string> (Knowledge::*)(const std::vector<std::string>&) const;
  static const std::map<std::string, Question, std::less<>>& Questions();

  std::optional<std::string> ToolkitCompiles(const std::vector<std::string>& arguments) const;
  std::optional<std::string> MinToolkit(const std::vector<std::string>& arguments) const;
  std::optional<std::string> MaxToolkit(const std::vector<std::string>& arguments) const;
  std::optional<std::string> ToolkitMaxGcc(const std::vector<std::string>& arguments) const;
  std::optional<std::string> MinToolkitForGcc(const std::vector<std::string>& arguments) const;
  std::optional<std::string> GpuCapability(const std::vector<std::string>& arguments) const;
  std::optional<std::string> TorchHasArch(const std::vector<std::string>& arguments) const;
  std::optional<std::string> TorchArchs(const std::vector<std::string>& arguments) const;
  std::optional<std::string> TorchCxx(const std::vector<std::string>& arguments) const;
  std::optional<std::string> TorchCuda(const std::vector<std::string>& arguments) const;
  std::optional<std::string> TorchCompanion(const std::vector<std::string>& arguments) const;
  std::optional<std::string> MinTorchForArch(const std::vector<std::string>& arguments) const;
  std::optional<std::string> TorchCudaForToolkit(const std::vector<std::string>& arguments) const;
  std::optional<std::string> TorchIndexExists(const std::vector<std::string>& arguments) const;
  std::optional<std::string> PackageOfModule(const std::vector<std::string>& arguments) const;
  std::optional<std::string> PackageIgnores(const std::vector<std::string>& arguments) const;
  std::optional<std::string> PackageReadsArchList(const std::vector<std::string>& arguments) const;
  std::optional<std::string> PackageOnPypi(const std::vector<std::string>& arguments) const;
  std::optional<std::string> ArchVariable(const std::vector<std::string>& arguments) const;
  std::optional<std::string> JobsVariable(const std::vector<std::string>& arguments) const;
  std::optional<std::string> HeaderPackage(const std::vector<std::string>& arguments) const;
  std::optional<std::string> LibraryPackage(const std::vector<std::string>& arguments) const;
  std::optional<std::string> MinDriver(const std::vector<std::string>& arguments) const;
  std::optional<std::string> PathToolkit(const std::vector<std::string>& arguments) const;
  std::optional<std::string> ArchListCovers(const std::vector<std::string>& arguments) const;
  std::optional<std::string> ProvidedBy(std::string_view kind,
                                        const std::vector<std::string>& arguments) const;

  std::function<std::string_view(std::string_view)> text_of_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::unique_ptr<const Json>, std::less<>>
      tables_;  // guarded by mutex_
};

}  // namespace cudadoctor

#endif  // CUDADOCTOR_KNOWLEDGE_KNOWLEDGE_H_

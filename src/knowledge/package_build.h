// knowledge/package_build.h: what packages.json says about installing a package.
#ifndef CUDADOCTOR_KNOWLEDGE_PACKAGE_BUILD_H_
#define CUDADOCTOR_KNOWLEDGE_PACKAGE_BUILD_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/json_fwd.h"

namespace cudadoctor {

// A version that the table demands; `is_sure` is false where the table's source is somebody's
// memory.
struct Demand {
  std::string version;
  bool is_sure = true;
};

struct PackageBuild {
  // What pip takes from PyPI on Linux x86_64: a compiled wheel, one in which nothing is compiled,
  // sources, or nothing of this project.
  enum class Pypi { kUnknown, kWheel, kPure, kSources, kNothing };

  std::string name;        // as the table spells it
  std::string repository;  // OWNER/NAME on GitHub
  Pypi pypi = Pypi::kUnknown;
  bool compiles = true;                        // at install
  std::vector<std::string> compile_variables;  // where one of them is true, it compiles in any case
  bool imports_torch = false;                  // in setup.py
  bool isolates_torch = false;         // an isolated build gets a torch of its own, the newest
  std::optional<bool> has_pyproject;   // older pip isolates only builds that have one
  bool is_cuda_optional = false;       // without CUDA it builds its CPU part, silently
  bool compares_minor = false;         // refuses another minor version of CUDA than torch's
  std::vector<std::string> modules;    // distributions that a build without isolation needs there
  std::optional<Demand> min_cuda;      // of the toolkit, for this version and GPU
  std::vector<std::string> gpu_archs;  // capabilities with kernels; empty: not known
  std::string fixed_cxx;               // the C++ standard that setup.py insists on: "17"
  std::string torch_pin;               // the torch that this version insists on: "2.7.1"
  std::string wheels_at;               // where prebuilt wheels are, in words; empty: none known
  std::string note;
  // Jobs that the build starts when nobody says how many: cpus / cpus_per_job, at most free GiB /
  // gib_per_job; 0: ninja's own number.
  int cpus_per_job = 0;
  int gib_per_job = 0;
};

// Reads an entry of the table for one version (empty: the newest) on a GPU of `capability` (empty:
// not known).
PackageBuild ReadPackageBuild(const Json& entry, std::string_view version,
                              std::string_view capability);

// What a prebuilt wheel must be made for.
struct WheelWanted {
  std::string version;  // of the package; empty: the newest
  std::string torch, cuda, python;
};

struct OwnWheel {
  bool is_there = false;
  std::string covers;  // what the release's wheels are made for: "torch 2.4–2.8, cu12, …"
};

// Whether the package's releases hold a wheel for Linux x86_64 that setup.py takes by itself;
// nothing when the table does not tell.
std::optional<OwnWheel> FindOwnWheel(const Json& entry, const WheelWanted& wanted);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_KNOWLEDGE_PACKAGE_BUILD_H_

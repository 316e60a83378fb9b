// engine/preflight_case.h: one package, one machine, and what was found so far.
#ifndef CUDADOCTOR_ENGINE_PREFLIGHT_CASE_H_
#define CUDADOCTOR_ENGINE_PREFLIGHT_CASE_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "diagnose/diagnose.h"
#include "engine/preflight.h"
#include "knowledge/knowledge.h"
#include "knowledge/package_build.h"
#include "remedy/shell.h"

namespace cudadoctor {

// A cause that the checks found.
struct Suspicion {
  std::string cause;
  Role role = Role::kRoot;
  Confidence confidence = Confidence::kLikely;
  std::vector<Capture> captures = {};   // facts of this cause
  std::vector<Evidence> evidence = {};  // of EvidenceOf
  std::string_view signature = {};      // whose title is taken; empty: the rule's own
  std::string title = {};               // a template, instead of the rule's
};

// What the machine says, as evidence: the fact's name and a sentence.
Evidence EvidenceOf(std::string_view fact, std::string text);

class PreflightCase {
 public:
  // Keeps references to both.
  PreflightCase(const RuleSet& rules, const PreflightInput& input);

  const PreflightInput& input() const { return input_; }
  const PackageBuild& build() const { return build_; }
  const Resolver& resolver() const { return resolver_; }
  bool is_known() const { return is_known_; }
  // The facts are those of a whole machine: what is missing is not there.
  bool is_whole() const { return is_whole_; }
  Way way() const { return way_; }
  // No prebuilt wheel fits, and these are there: "torch 2.4–2.8, …"; otherwise empty.
  const std::string& other_wheels() const { return other_wheels_; }

  // The value of a fact, stated or derived; empty when nobody tells.
  std::string Get(std::string_view fact) const;
  bool Has(std::string_view fact) const { return !Get(fact).empty(); }
  // " in PLACE", where the fact was found; empty when nobody tells.
  std::string Place(std::string_view fact) const;
  // Every stated fact of this name.
  std::vector<const Fact*> All(std::string_view fact) const;
  std::string Variable(std::string_view name) const;
  // The answer of a table, empty when it does not know.
  std::string LookUp(std::string_view question, const std::vector<std::string>& arguments) const;

  // Something that stops a compilation: a root where it is compiled here, less certain where a
  // prebuilt wheel may spare it, latent where one is expected.
  absl::Status AddOfBuild(Suspicion suspicion);
  // Something that holds however the package comes.
  absl::Status Add(Suspicion suspicion);
  void AddUnchecked(std::string text) { unchecked_.push_back(std::move(text)); }

  // The command that installs the package, with the options and the environment given.
  CommandLine InstallCommand(bool no_build_isolation) const;

  // Everything found, roots first. No call may follow.
  absl::StatusOr<PackageCheck> Finish();

 private:
  void ReadFacts();
  void ChooseWay();
  void Settle(Way way, std::string says);
  bool MustBeUnisolated() const;
  void AddFact(std::string_view name, ValueType type, std::string_view value);
  void WriteCommand(const std::vector<Finding>& findings, PackageCheck& check) const;

  const RuleSet& rules_;
  const PreflightInput& input_;
  const Knowledge knowledge_;
  FactStore facts_;
  Resolver resolver_;
  PackageBuild build_;
  const Json* entry_ = nullptr;  // of packages.json
  bool is_known_ = false;
  bool is_whole_ = false;
  Way way_ = Way::kUnknown;
  std::string way_says_;
  std::string other_wheels_;
  std::vector<Finding> roots_;
  std::vector<Finding> others_;
  std::vector<std::string> unchecked_;
};

Evidence TorchEvidence(const PreflightCase& check);
Evidence GpuEvidence(const PreflightCase& check, const std::string& capability);
// The compute capabilities of the GPUs, each once.
std::vector<std::string> Capabilities(const PreflightCase& check);
// "12.0" as nvcc names it: sm_120.
std::string Sm(const std::string& capability);

// The installed PyTorch, and whether the package fits it and the GPUs.
absl::Status CheckTorch(PreflightCase& check);
// What CheckTorch does; then the CUDA toolkit, the host compiler, the architectures and the C++
// standard, where something is compiled.
absl::Status CheckCuda(PreflightCase& check);
// The Python environment and the modules of the build.
absl::Status CheckPython(PreflightCase& check);
// Memory and disk.
absl::Status CheckResources(PreflightCase& check);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_ENGINE_PREFLIGHT_CASE_H_

// engine/preflight.h: what would stop the installation of a package, before it is tried.
#ifndef CUDADOCTOR_ENGINE_PREFLIGHT_H_
#define CUDADOCTOR_ENGINE_PREFLIGHT_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/requirement.h"
#include "model/fact.h"
#include "model/package_check.h"
#include "rules/rule_set.h"

namespace cudadoctor {

struct PreflightInput {
  std::vector<Fact> host_facts;
  Requirement requirement;
  bool no_build_isolation = false;  // it is to be installed with --no-build-isolation
  // The environment variable of this name that the installation would see; nothing when not set.
  std::function<std::optional<std::string>(std::string_view name)> variable;
};

// Compares the machine with what the tables and the rules know about the package. A fact that is
// not there is taken as "not on this machine" only where the facts are those of a whole machine
// (they hold os and kernel_version, which only a probe states); otherwise what depends on it is
// named in `unchecked`. A cause is certain only where the tool's own rule is. Errors: those of
// RuleSet::CauseOf.
absl::StatusOr<PackageCheck> Preflight(const RuleSet& rules, const PreflightInput& input);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_ENGINE_PREFLIGHT_H_

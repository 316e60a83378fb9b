#include "engine/preflight.h"

#include "base/status_macros.h"
#include "engine/preflight_case.h"

namespace cudadoctor {

absl::StatusOr<PackageCheck> Preflight(const RuleSet& rules, const PreflightInput& input) {
  PreflightCase check(rules, input);
  RETURN_IF_ERROR(CheckPython(check));
  RETURN_IF_ERROR(CheckCuda(check));
  RETURN_IF_ERROR(CheckResources(check));
  return check.Finish();
}

}  // namespace cudadoctor

#include <unistd.h>

#include <string>
#include <utility>
#include <vector>

#include "base/views.h"
#include "cli/ci.h"
#include "cli/commands.h"
#include "cli/diagnosis.h"
#include "cli/input.h"
#include "cli/report_output.h"
#include "engine/preflight.h"
#include "json/json.h"
#include "report/package_check.h"

namespace cudadoctor {
namespace {

int Fail(const absl::Status& status, int exit_status) {
  PrintError(Std(status.message()));
  return exit_status;
}

}  // namespace

int RunCheck(const RuleSet& rules, const CheckOptions& options) {
  std::vector<Requirement> requirements;
  for (const std::string& package : options.packages) {
    absl::StatusOr<Requirement> requirement = ParseRequirement(package);
    if (!requirement.ok()) return Fail(requirement.status(), kUsage);
    requirements.push_back(*std::move(requirement));
  }
  const absl::StatusOr<HostChoice> host = ChooseHost(options.host, /*is_live=*/true);
  if (!host.ok()) return Fail(host.status(), kUnreadable);
  const std::vector<Fact> facts = host->facts ? host->facts() : std::vector<Fact>();
  const RenderOptions render = RenderOptionsFor(STDOUT_FILENO, options.color);
  bool would_stop = false;
  std::string text;
  for (Requirement& requirement : requirements) {
    const absl::StatusOr<PackageCheck> check =
        Preflight(rules, {.host_facts = facts,
                          .requirement = std::move(requirement),
                          .no_build_isolation = options.no_build_isolation,
                          .variable = ProcessEnvironment});
    if (!check.ok()) return Fail(check.status(), kUnreadable);
    would_stop = would_stop || check->would_stop();
    if (options.is_json) {
      text += WriteJson(CheckToJson(*check)) + "\n";
    } else {
      text += (text.empty() ? "" : "\n") + RenderCheckText(*check, render);
    }
  }
  const absl::Status written = WriteDescriptor(STDOUT_FILENO, text);
  if (!written.ok()) return Fail(written, kUnreadable);
  return would_stop ? kFailureFound : kNoFailure;
}

}  // namespace cudadoctor

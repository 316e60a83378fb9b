// remedy/way.h: what a rule asks for in pip's words, in those of the tool that keeps the project.
#ifndef CUDADOCTOR_REMEDY_WAY_H_
#define CUDADOCTOR_REMEDY_WAY_H_

#include <string>

#include "absl/status/statusor.h"
#include "diagnose/resolver.h"
#include "rules/rule_set.h"

namespace cudadoctor {

// `run`, commands of a rule, as the user's project wants them: where the fact `project` names a
// tool that rules/ways knows, an installation of packages by pip or uv pip becomes that tool's way,
// and python runs in the project's environment. An installation that the tool has no way for (with
// options of pip's own, of a path) stays as it is. Where the fact `interpreter` names a Python that
// is not on PATH, pip and python are that one's.
// Errors: those of RuleSet::WaysOf.
absl::StatusOr<std::string> InProject(const std::string& run, const RuleSet& rules,
                                      const Resolver& resolver);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REMEDY_WAY_H_

// remedy/plan.h: plans the fix of a finding. Runs and edits nothing.
#ifndef CUDADOCTOR_REMEDY_PLAN_H_
#define CUDADOCTOR_REMEDY_PLAN_H_

#include "absl/status/status.h"
#include "diagnose/diagnose.h"
#include "rules/rule_set.h"

namespace cudadoctor {

// Fills in the title, the remedies and what to avoid of `finding.diagnosis`.
// Errors: those of RuleSet::SharedRemedyOf.
absl::Status PlanRemedies(const RuleSet& rules, Finding& finding);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REMEDY_PLAN_H_

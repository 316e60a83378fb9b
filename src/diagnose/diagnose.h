// diagnose/diagnose.h: from matches to causes.
#ifndef CUDADOCTOR_DIAGNOSE_DIAGNOSE_H_
#define CUDADOCTOR_DIAGNOSE_DIAGNOSE_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "diagnose/resolver.h"
#include "facts/fact_store.h"
#include "knowledge/knowledge.h"
#include "match/pattern.h"
#include "model/report.h"
#include "rules/rule_set.h"

namespace cudadoctor {

// A cause that was found, and where to look facts up for its texts and remedies.
struct Finding {
  Diagnosis diagnosis;           // without title, remedies and avoid
  const Cause* cause = nullptr;  // nullptr for a failure without a known cause
  Texts title;
  Resolver resolver;
};

struct Findings {
  Outcome outcome = Outcome::kUndetermined;
  std::vector<Unit> units;
  FactStore facts;
  std::vector<Finding> findings;  // in the report's order
};

// Called with what was considered and why it won or lost, for `cudadoctor trace`.
using Explain = std::function<void(const std::string&)>;

struct DiagnoseInput {
  const RuleSet& rules;
  const Knowledge& knowledge;
  const std::vector<Match>& matches;  // sorted by line
  const std::vector<Fact>& host_facts;
  int64_t lines = 0;
  std::optional<int> exit_status;  // of the command, when it is known
};

// The resolvers in `findings` refer to `findings.facts`, to the rules and to the knowledge.
// Errors: those of RuleSet::CauseOf.
absl::Status Diagnose(const DiagnoseInput& input, const Explain& explain, Findings& findings);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_DIAGNOSE_DIAGNOSE_H_

// diagnose/candidates.h: the causes whose signatures hold in a unit.
#ifndef CUDADOCTOR_DIAGNOSE_CANDIDATES_H_
#define CUDADOCTOR_DIAGNOSE_CANDIDATES_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "diagnose/resolver.h"
#include "match/pattern.h"
#include "rules/rule_set.h"

namespace cudadoctor {

// A signature that holds, or that may.
struct Candidate {
  const Cause* cause = nullptr;
  const Signature* signature = nullptr;
  int unit = 0;
  std::vector<const Match*> evidence;  // the deciding match first
  std::vector<Capture> captures;
  Confidence confidence = Confidence::kPossible;  // a draft's is at most likely
  bool is_open = false;  // what `where` asks is unknown; it is a root and at most possible

  int64_t line() const { return evidence.front()->first_line; }
};

// The matches of one unit by pattern.
class UnitMatches {
 public:
  explicit UnitMatches(size_t patterns) : by_pattern_(patterns) {}
  void Add(const Match* match) { by_pattern_[match->pattern].push_back(match); }
  const std::vector<const Match*>& Of(int pattern) const { return by_pattern_[pattern]; }

 private:
  std::vector<std::vector<const Match*>> by_pattern_;
};

// For each cause and role at most one candidate of `unit`: one that holds, of several the most
// confident signature, of equal ones the one whose deciding line comes first. Deciding lines that
// `is_cleared` names do not count, except for latent signatures. `explain`, unless empty, is told
// why a signature whose deciding line is there does not hold. Errors: those of RuleSet::CauseOf.
absl::StatusOr<std::vector<Candidate>> FindCandidates(
    const RuleSet& rules, const UnitMatches& matches, int unit, const Resolver& resolver,
    const std::function<bool(const Match&)>& is_cleared,
    const std::function<void(const std::string&)>& explain);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_DIAGNOSE_CANDIDATES_H_

#include "diagnose/candidates.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace cudadoctor {
namespace {

int Distance(const Match& a, const Match& b) {
  if (a.last_line < b.first_line) return b.first_line - a.last_line;
  if (b.last_line < a.first_line) return a.first_line - b.last_line;
  return 0;
}

// The match of a term that lies nearest to `anchor`, or nullptr.
const Match* Nearest(const UnitMatches& matches, const SignatureTerm& term, const Match& anchor) {
  const Match* nearest = nullptr;
  for (const Match* match : matches.Of(term.pattern)) {
    if (term.within.has_value() && Distance(*match, anchor) > *term.within) continue;
    if (nearest == nullptr || Distance(*match, anchor) < Distance(*nearest, anchor))
      nearest = match;
  }
  return nearest;
}

// The candidate, or why there is none in `reason`.
std::optional<Candidate> Try(const RuleSet& rules, const Cause& cause, const Signature& signature,
                             const UnitMatches& matches, const Match& anchor, int unit,
                             const Resolver& resolver, std::string& reason) {
  Candidate candidate;
  candidate.cause = &cause;
  candidate.signature = &signature;
  candidate.unit = unit;
  candidate.evidence.push_back(&anchor);
  for (size_t i = 1; i < signature.all.size(); ++i) {
    const Match* match = Nearest(matches, signature.all[i], anchor);
    if (match == nullptr) {
      reason = absl::StrCat("pattern ", rules.patterns()[signature.all[i].pattern].name,
                            " did not fire near it");
      return std::nullopt;
    }
    candidate.evidence.push_back(match);
  }
  for (const SignatureTerm& term : signature.none) {
    if (const Match* match = Nearest(matches, term, anchor)) {
      reason = absl::StrCat("excluded by pattern ", rules.patterns()[term.pattern].name,
                            " at line ", match->first_line);
      return std::nullopt;
    }
  }
  for (const Match* match : candidate.evidence) {
    candidate.captures.insert(candidate.captures.end(), match->captures.begin(),
                              match->captures.end());
  }
  candidate.confidence =
      cause.is_stable ? signature.confidence : std::min(signature.confidence, Confidence::kLikely);
  const Truth truth =
      resolver.At(unit, anchor.first_line, candidate.captures).Decide(signature.where);
  if (truth == Truth::kNo) {
    reason = "a condition of where does not hold";
    return std::nullopt;
  }
  if (truth == Truth::kUnknown) {
    if (signature.role != Role::kRoot) {
      reason = "a condition of where is unknown";
      return std::nullopt;
    }
    candidate.is_open = true;
    candidate.confidence = Confidence::kPossible;
  }
  return candidate;
}

bool IsBetter(const Candidate& a, const Candidate& b) {
  if (a.is_open != b.is_open) return b.is_open;
  if (a.confidence != b.confidence) return a.confidence > b.confidence;
  return a.line() < b.line();
}

}  // namespace

absl::StatusOr<std::vector<Candidate>> FindCandidates(
    const RuleSet& rules, const UnitMatches& matches, int unit, const Resolver& resolver,
    const std::function<bool(const Match&)>& is_cleared,
    const std::function<void(const std::string&)>& explain) {
  std::vector<Candidate> candidates;
  for (size_t f = 0; f < rules.files().size(); ++f) {
    const RuleFile& file = rules.files()[f];
    if (file.kind != FileKind::kCause) continue;
    bool fired = false;
    for (int p = file.first_pattern; p < file.first_pattern + file.pattern_count; ++p)
      fired = fired || !matches.Of(p).empty();
    if (!fired) continue;
    ASSIGN_OR_RETURN(const Cause* cause, rules.CauseOf(static_cast<int>(f)));
    std::optional<Candidate> best[3];
    for (const Signature& signature : cause->signatures) {
      const bool is_latent = signature.role == Role::kLatent;
      for (const Match* anchor : matches.Of(signature.all.front().pattern)) {
        std::string reason = "a later success makes it good again";
        std::optional<Candidate> candidate;
        if (is_latent || !is_cleared(*anchor))
          candidate = Try(rules, *cause, signature, matches, *anchor, unit, resolver, reason);
        if (!candidate.has_value()) {
          if (explain)
            explain(absl::StrCat(cause->id, " by ", signature.name, " at line ", anchor->first_line,
                                 " in unit ", unit, ": no, ", reason));
          continue;
        }
        std::optional<Candidate>& known = best[static_cast<int>(signature.role)];
        const bool is_open = candidate->is_open;
        if (!known.has_value() || IsBetter(*candidate, *known)) known = std::move(candidate);
        // A later place of the same signature may hold where this one only may.
        if (!is_open) break;
      }
    }
    for (std::optional<Candidate>& candidate : best) {
      if (candidate.has_value()) candidates.push_back(*std::move(candidate));
    }
  }
  return candidates;
}

}  // namespace cudadoctor

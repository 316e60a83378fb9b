#include "diagnose/diagnose.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "base/views.h"
#include "diagnose/candidates.h"
#include "diagnose/units.h"

namespace cudadoctor {
namespace {

constexpr size_t kMaxEvidence = 6;
constexpr size_t kMaxSymptoms = 8;

std::string CaptureOf(const Match& match, std::string_view fact) {
  for (const Capture& capture : match.captures) {
    if (capture.fact == fact) return capture.value;
  }
  return "";
}

Evidence ToEvidence(const Match& match, const RuleSet& rules) {
  return {match.first_line, match.last_line, match.column, match.text,
          rules.patterns()[match.pattern].name};
}

// The same in every job of a matrix of versions and machines: FNV-1a of what the cause is about.
std::string Fingerprint(const std::string& cause, const std::string& package,
                        const std::vector<Capture>& captures) {
  uint64_t hash = 0xcbf29ce484222325u;
  const auto add = [&hash](std::string_view text) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    hash = (hash ^ 0xff) * 0x100000001b3u;
  };
  add(cause);
  add(package);
  std::set<std::string> facts;
  for (const Capture& capture : captures) {
    // Names tell two causes apart; versions, paths and numbers differ between the jobs of a matrix.
    const bool is_name = capture.type == ValueType::kPackage ||
                         capture.type == ValueType::kModule ||
                         capture.type == ValueType::kLibrary ||
                         capture.type == ValueType::kHeader || capture.type == ValueType::kSymbol;
    if (is_name) facts.insert(absl::StrCat(capture.fact, "=", capture.value));
  }
  for (const std::string& fact : facts) add(fact);
  return absl::StrFormat("%016x", hash);
}

// Whether `text` names the package, whose name a wheel's file and an index spell differently.
bool Names(std::string_view text, std::string_view package) {
  const auto spelled = [](std::string_view name) {
    std::string normal = absl::AsciiStrToLower(Absl(name));
    std::replace(normal.begin(), normal.end(), '_', '-');
    return normal;
  };
  return absl::StrContains(spelled(text), spelled(package));
}

// What happened in one unit: its failures, and what a later success made good again.
struct UnitEvents {
  std::vector<const Match*> failures;  // of kind failure, sorted by line
  std::vector<const Match*> errors;    // of kind error
  std::vector<const Match*> successes;
  int64_t last_work = 0;  // line of what a success has to follow

  // Whether it ends in success: what began was finished.
  bool Succeeded() const {
    return std::any_of(successes.begin(), successes.end(),
                       [this](const Match* success) { return success->first_line >= last_work; });
  }

  // A success makes a failure before it good, unless the failure names a package that the success
  // does not.
  bool IsFailureCleared(const Match& failure) const {
    const std::string package = CaptureOf(failure, "package");
    return std::any_of(successes.begin(), successes.end(), [&](const Match* success) {
      if (success->first_line <= failure.first_line) return false;
      return package.empty() || Names(success->text, package);
    });
  }

  // Anything else before a success is cleared when no failure between the two is left.
  bool IsCleared(const Match& match) const {
    for (const Match* success : successes) {
      if (success->first_line <= match.last_line) continue;
      const bool is_open = std::any_of(failures.begin(), failures.end(), [&](const Match* failure) {
        return failure->first_line >= match.first_line &&
               failure->first_line < success->first_line && !IsFailureCleared(*failure);
      });
      if (!is_open) return true;
    }
    return false;
  }

  bool HasOpenFailure() const {
    return std::any_of(failures.begin(), failures.end(),
                       [this](const Match* failure) { return !IsFailureCleared(*failure); });
  }
};

class Diagnostician {
 public:
  Diagnostician(const DiagnoseInput& input, const Explain& explain, Findings& findings)
      : input_(input),
        explain_(explain),
        findings_(findings),
        units_(input.rules, input.matches, input.lines) {}

  absl::Status Run() {
    Sort();
    CollectFacts();
    const Resolver resolver(findings_.facts, input_.rules.derived(), input_.knowledge);
    const bool is_clipped = findings_.facts.Find("clipped", 0, 0) != nullptr;
    std::vector<Finding> roots;
    std::vector<Finding> others;
    // Of several failing units the one that ended the log comes first.
    std::vector<int> order;
    for (size_t u = 0; u < units_.units().size(); ++u) order.push_back(static_cast<int>(u));
    std::stable_sort(order.begin(), order.end(), [this](int a, int b) {
      return units_.units()[a].last_line > units_.units()[b].last_line;
    });
    for (const int u : order) RETURN_IF_ERROR(DiagnoseUnit(u, resolver, is_clipped, roots, others));
    SettleOutcome(!roots.empty());
    if (findings_.outcome == Outcome::kFailed && roots.empty())
      roots.push_back(Unknown(units_.units().back(), resolver));
    PutKnownFirst(roots);
    for (std::vector<Finding>* list : {&roots, &others}) {
      std::move(list->begin(), list->end(), std::back_inserter(findings_.findings));
    }
    for (Unit& unit : units_.units()) {
      const bool is_empty = unit.last_line < std::max<int64_t>(unit.first_line, 1) ||
                            (unit.outcome == Outcome::kUndetermined && unit.name.empty() &&
                             units_.units().size() > 1);
      if (!is_empty) findings_.units.push_back(unit);
    }
    return absl::OkStatus();
  }

 private:
  // A unit that only repeats that something failed (the last lines of a docker build, a CI step
  // after the one that broke) has no cause of its own where another unit shows one.
  void PutKnownFirst(std::vector<Finding>& roots) {
    const auto is_known = [](const Finding& finding) { return finding.cause != nullptr; };
    if (std::none_of(roots.begin(), roots.end(), is_known)) return;
    std::vector<Finding> sorted;
    for (Finding& finding : roots) {
      if (is_known(finding)) sorted.push_back(std::move(finding));
    }
    for (Finding& finding : roots) {
      if (finding.cause == nullptr && !IsEcho(finding)) sorted.push_back(std::move(finding));
    }
    roots.swap(sorted);
  }

  bool IsEcho(const Finding& finding) const {
    return std::all_of(finding.diagnosis.units.begin(), finding.diagnosis.units.end(),
                       [&](int unit) { return !HasOpenError(events_[unit - 1]); });
  }

  void Sort() {
    events_.resize(units_.units().size());
    for (size_t i = 0; i < units_.units().size(); ++i)
      by_unit_.emplace_back(input_.rules.patterns().size());
    for (const Match& match : input_.matches) {
      const int unit = units_.UnitOf(match);
      by_unit_[unit - 1].Add(&match);
      UnitEvents& events = events_[unit - 1];
      switch (input_.rules.owners()[match.pattern].role) {
        case PatternRole::kFailure:
          events.failures.push_back(&match);
          break;
        case PatternRole::kError:
          events.errors.push_back(&match);
          break;
        case PatternRole::kUnitSuccess:
          events.successes.push_back(&match);
          break;
        case PatternRole::kUnitWork:
          events.last_work = std::max(events.last_work, match.first_line);
          break;
        default:
          break;
      }
    }
  }

  // Facts come from lines that state them, symptoms and unit marks; a cause's captures count only
  // when it is found.
  void CollectFacts() {
    for (const Fact& fact : input_.host_facts) findings_.facts.Add(fact);
    for (const Match& match : input_.matches) {
      if (input_.rules.owners()[match.pattern].role == PatternRole::kSignature) continue;
      AddFacts(match, units_.UnitOf(match));
    }
  }

  void AddFacts(const Match& match, int unit) {
    for (const Capture& capture : match.captures) {
      findings_.facts.Add(
          {capture.fact, capture.type, capture.value, Origin::kLog, match.first_line, unit});
    }
  }

  absl::Status DiagnoseUnit(int u, const Resolver& resolver, bool is_clipped,
                            std::vector<Finding>& roots, std::vector<Finding>& others) {
    Unit& unit = units_.units()[u];
    const UnitEvents& events = events_[u];
    ASSIGN_OR_RETURN(std::vector<Candidate> candidates,
                     FindCandidates(
                         input_.rules, by_unit_[u], unit.id, resolver,
                         [&](const Match& match) { return events.IsCleared(match); }, explain_));
    std::vector<const Candidate*> root_candidates;
    for (const Candidate& candidate : candidates) {
      if (candidate.signature->role == Role::kRoot) root_candidates.push_back(&candidate);
    }
    const Candidate* root = ChooseRoot(root_candidates);
    bool failed = root != nullptr || events.HasOpenFailure() || HasOpenError(events);
    if (failed && IsMadeGoodLater(unit, events)) {
      failed = false;
      root = nullptr;
    }
    unit.outcome = failed               ? Outcome::kFailed
                   : events.Succeeded() ? Outcome::kSucceeded
                                        : Outcome::kUndetermined;
    if (root != nullptr) {
      Merge(ToFinding(*root, resolver, events, is_clipped), roots);
    } else if (failed) {
      Merge(Unknown(unit, resolver), roots);
    }
    for (const Candidate& candidate : candidates) {
      const bool is_beside_root = candidate.signature->role == Role::kContributing && failed;
      if ((candidate.signature->role == Role::kLatent || is_beside_root) &&
          !IsSaidBy(root, candidate)) {
        Merge(ToFinding(candidate, resolver, events, is_clipped), others);
      }
    }
    return absl::OkStatus();
  }

  // Whether a later unit did the same work and succeeded: it has the same name, or reports success
  // of a package that failed here.
  bool IsMadeGoodLater(const Unit& unit, const UnitEvents& events) const {
    for (const Unit& later : units_.units()) {
      if (later.outcome != Outcome::kSucceeded || later.first_line <= unit.first_line) continue;
      if (!unit.name.empty() && later.name == unit.name && later.kind == unit.kind) return true;
      const std::vector<const Match*>& successes = events_[later.id - 1].successes;
      const bool reports_package =
          std::any_of(events.failures.begin(), events.failures.end(), [&](const Match* failure) {
            const std::string package = CaptureOf(*failure, "package");
            return !package.empty() &&
                   std::any_of(successes.begin(), successes.end(),
                               [&](const Match* success) { return Names(success->text, package); });
          });
      if (reports_package) return true;
    }
    return false;
  }

  bool HasOpenError(const UnitEvents& events) const {
    return std::any_of(events.errors.begin(), events.errors.end(),
                       [&](const Match* match) { return !events.IsCleared(*match); });
  }

  // The candidate that no other accounts for; of several the most confident, then the earliest.
  const Candidate* ChooseRoot(const std::vector<const Candidate*>& candidates) {
    std::vector<const Candidate*> left;
    for (const Candidate* candidate : candidates) {
      const Candidate* winner = nullptr;
      for (const Candidate* other : candidates) {
        const auto names = [](const std::vector<std::string>& ids, const Candidate* named) {
          return std::find(ids.begin(), ids.end(), named->cause->id) != ids.end();
        };
        if (other != candidate &&
            (names(other->cause->explains, candidate) || names(candidate->cause->yields_to, other)))
          winner = other;
      }
      if (winner == nullptr) {
        left.push_back(candidate);
      } else {
        Trace(*candidate, absl::StrCat("lost to ", winner->cause->id, ", which accounts for it"));
      }
    }
    if (left.empty()) left = candidates;
    const auto ranks_before = [](const Candidate* a, const Candidate* b) {
      if (a->confidence != b->confidence) return a->confidence > b->confidence;
      return a->line() < b->line();
    };
    std::stable_sort(left.begin(), left.end(), ranks_before);
    for (size_t i = 0; i < left.size(); ++i) {
      Trace(*left[i], i == 0 ? "won"
                             : absl::StrCat("lost to ", left[0]->cause->id,
                                            ", which is more certain or comes first"));
    }
    return left.empty() ? nullptr : left.front();
  }

  // Whether the root says already what a latent or contributing candidate would.
  static bool IsSaidBy(const Candidate* root, const Candidate& candidate) {
    if (root == nullptr) return false;
    const std::vector<std::string>& explained = root->cause->explains;
    return candidate.cause == root->cause ||
           std::find(explained.begin(), explained.end(), candidate.cause->id) != explained.end();
  }

  void Trace(const Candidate& candidate, std::string_view verdict) {
    if (!explain_) return;
    explain_(absl::StrCat(candidate.cause->id, " by ", candidate.signature->name, " at line ",
                          candidate.line(), " in unit ", candidate.unit, ": ",
                          absl::string_view(verdict.data(), verdict.size())));
  }

  Finding ToFinding(const Candidate& candidate, const Resolver& resolver, const UnitEvents& events,
                    bool is_clipped) {
    for (const Match* match : candidate.evidence) AddFacts(*match, candidate.unit);
    const Cause& cause = *candidate.cause;
    Finding finding{
        .diagnosis = {},
        .cause = &cause,
        .title = candidate.signature->title.empty() ? cause.title : candidate.signature->title,
        .resolver = resolver.At(candidate.unit, candidate.line(), candidate.captures)};
    Diagnosis& diagnosis = finding.diagnosis;
    diagnosis.cause = cause.id;
    diagnosis.group = cause.group;
    diagnosis.role = candidate.signature->role;
    diagnosis.confidence =
        is_clipped ? std::min(candidate.confidence, Confidence::kLikely) : candidate.confidence;
    diagnosis.retry = cause.retry;
    diagnosis.is_at_run_time = cause.is_at_run_time;
    diagnosis.units = {candidate.unit};
    diagnosis.explanation = cause.explanation;
    for (const Reference& reference : cause.references)
      diagnosis.references.push_back(reference.url);
    for (const Match* match : candidate.evidence) {
      const bool is_shown =
          std::any_of(diagnosis.evidence.begin(), diagnosis.evidence.end(),
                      [&](const Evidence& e) { return e.line == match->first_line; });
      if (!is_shown && diagnosis.evidence.size() < kMaxEvidence)
        diagnosis.evidence.push_back(ToEvidence(*match, input_.rules));
    }
    AddSymptoms(events, diagnosis);
    NamePackage(finding);
    diagnosis.fingerprint = Fingerprint(cause.id, diagnosis.package, candidate.captures);
    return finding;
  }

  // A failure that no rule explains: the first lines in which a tool reports an error.
  Finding Unknown(const Unit& unit, const Resolver& resolver) {
    const UnitEvents& events = events_[unit.id - 1];
    std::vector<const Match*> shown;
    for (const std::vector<const Match*>* list : {&events.errors, &events.failures}) {
      if (!shown.empty()) break;
      for (const Match* match : *list) {
        const bool is_same_line = !shown.empty() && shown.back()->first_line == match->first_line;
        if (!events.IsCleared(*match) && !is_same_line && shown.size() < 3) shown.push_back(match);
      }
    }
    const int64_t line = shown.empty() ? unit.last_line : shown.front()->first_line;
    Finding finding{
        .diagnosis = {},
        .cause = nullptr,
        .title = {},
        .resolver = resolver.At(unit.id, line,
                                shown.empty() ? std::vector<Capture>{} : shown.front()->captures)};
    Diagnosis& diagnosis = finding.diagnosis;
    diagnosis.cause = "unknown";
    diagnosis.group = "unknown";
    diagnosis.retry = "environment";
    diagnosis.units = {unit.id};
    for (const Match* match : shown) diagnosis.evidence.push_back(ToEvidence(*match, input_.rules));
    AddSymptoms(events, diagnosis);
    NamePackage(finding);
    diagnosis.fingerprint = Fingerprint("unknown", diagnosis.package, {});
    return finding;
  }

  void AddSymptoms(const UnitEvents& events, Diagnosis& diagnosis) {
    std::set<std::string> seen;
    for (const Match* match : events.failures) {
      const std::string& id = input_.rules.files()[input_.rules.owners()[match->pattern].file].id;
      const bool is_evidence =
          std::any_of(diagnosis.evidence.begin(), diagnosis.evidence.end(),
                      [&](const Evidence& e) { return e.line == match->first_line; });
      if (is_evidence || events.IsFailureCleared(*match) ||
          diagnosis.symptoms.size() >= kMaxSymptoms || !seen.insert(id).second)
        continue;
      diagnosis.symptoms.push_back({id, match->first_line, match->text});
    }
  }

  static void NamePackage(Finding& finding) {
    if (const auto package = finding.resolver.Get("package"))
      finding.diagnosis.package = package->text;
    if (const auto version = finding.resolver.Get("package_version");
        version && !finding.diagnosis.package.empty()) {
      finding.diagnosis.package_version = version->text;
    }
  }

  // One diagnosis per cause: the units of an equal one are added to the first.
  static void Merge(Finding finding, std::vector<Finding>& list) {
    for (Finding& known : list) {
      if (known.diagnosis.cause != finding.diagnosis.cause) continue;
      for (const int unit : finding.diagnosis.units) known.diagnosis.units.push_back(unit);
      for (Evidence& evidence : finding.diagnosis.evidence) {
        if (known.diagnosis.evidence.size() < kMaxEvidence)
          known.diagnosis.evidence.push_back(std::move(evidence));
      }
      std::sort(known.diagnosis.units.begin(), known.diagnosis.units.end());
      return;
    }
    list.push_back(std::move(finding));
  }

  void SettleOutcome(bool has_root) {
    if (has_root || input_.exit_status.value_or(0) != 0) {
      findings_.outcome = Outcome::kFailed;
      return;
    }
    bool succeeded = false;
    for (const Unit& unit : units_.units()) {
      if (unit.outcome == Outcome::kSucceeded) {
        succeeded = true;
      } else if (events_[unit.id - 1].last_work > 0) {
        succeeded = false;  // it began, and the log does not show how it ended
      }
    }
    findings_.outcome =
        succeeded || input_.exit_status == 0 ? Outcome::kSucceeded : Outcome::kUndetermined;
  }

  const DiagnoseInput& input_;
  const Explain& explain_;
  Findings& findings_;
  UnitList units_;
  std::vector<UnitMatches> by_unit_;
  std::vector<UnitEvents> events_;
};

}  // namespace

absl::Status Diagnose(const DiagnoseInput& input, const Explain& explain, Findings& findings) {
  return Diagnostician(input, explain, findings).Run();
}

}  // namespace cudadoctor

// rules/rule.h: the rule language as data. CONTRIBUTING.md describes it,
// rules/schema/rule.schema.json is its grammar.
#ifndef CUDADOCTOR_RULES_RULE_H_
#define CUDADOCTOR_RULES_RULE_H_

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "match/pattern.h"
#include "model/report.h"

namespace cudadoctor {

// Alternatives of a text with holes: the first whose holes can all be filled is taken.
using Texts = std::vector<std::string>;

// A condition on facts: yes, no, or unknown, where a fact is missing or a table does not tell.
struct Condition {
  enum class Kind {
    kPresent,
    kIs,
    kMatches,
    kCompare,
    kLookup,
    kAny,
    kAll,
    kNot,
    kKnown,
  };
  Kind kind = Kind::kPresent;
  std::string fact;
  std::vector<std::string> values;  // kIs: any of these; kMatches: one RE2
  std::string op;                   // kCompare: < <= == != >= >
  std::string other;                // kCompare: a fact; empty: values[0]
  VersionPart part = VersionPart::kAll;
  std::string lookup;                  // kLookup
  std::vector<std::string> arguments;  // kLookup: facts, or words in single quotes
  std::vector<Condition> conditions;   // kAny, kAll, kNot, kKnown
};

// A pattern's part in a signature.
struct SignatureTerm {
  int pattern = 0;            // index into RuleSet::patterns()
  std::optional<int> within;  // raw lines from the signature's first pattern
};

struct Signature {
  std::string name;
  Confidence confidence = Confidence::kPossible;
  Role role = Role::kRoot;
  std::vector<SignatureTerm> all;  // the first is the deciding line
  std::vector<SignatureTerm> none;
  std::vector<Condition> where;
  Texts title;  // instead of the rule's
};

// The user's own command with changes.
struct Rerun {
  std::vector<std::pair<std::string, std::string>> env;  // templates
  std::vector<std::string> add;
  std::vector<std::string> drop;
  std::string jobs;  // a template: how many jobs make, ninja or cmake --build may start
};

struct StepPlan {
  std::string run;  // a template; empty for none
  std::optional<Rerun> rerun;
  Texts note;
  std::vector<Condition> when;
};

struct RemedyPlan {
  std::string id;
  std::string use;                                        // a shared remedy's id, or empty
  std::vector<std::pair<std::string, std::string>> with;  // its parameters
  Texts title;
  std::vector<Condition> when;
  std::vector<std::string> needs;
  Texts why;
  Texts cost;
  std::vector<StepPlan> steps;
  std::optional<std::pair<std::string, Texts>> check;  // command, what it says
};

struct SharedRemedy {
  std::string id;
  std::vector<std::string> parameters;
  Texts title;
  std::vector<RemedyPlan> variants;  // the first whose conditions hold is taken; a title of its own
                                     // stands before all others
};

struct DerivedFact {
  std::string fact;
  ValueType type = ValueType::kText;
  std::string lookup;
  std::vector<std::string> arguments;
};

// How a tool that keeps projects meets a need that rules state in pip's words: templates of
// commands by need, see kNeeds.
using Ways = std::map<std::string, std::string, std::less<>>;
inline constexpr std::array<std::string_view, 4> kNeeds = {
    "package",           // {requirements} in the project
    "package_of_index",  // {requirements} from {index}, called {index_name}
    "newest_package",    // the newest {requirements} that fit
    "command",           // {command} in the project's environment
};

struct Reference {
  std::string url;
  std::string says;
};

// When a host that takes part in a diagnosis cannot be the log's as far as `fact` and what belongs
// to it go.
struct HostConflict {
  std::string fact;
  std::vector<Condition> when;
};

struct Example {
  std::string name;
  std::vector<std::string> log;
  int line = 0;  // 0: not stated
  std::vector<std::pair<std::string, std::string>> facts;
};

// Everything about a cause.
struct Cause {
  std::string id;
  std::string group;
  bool is_stable = false;
  std::string retry;
  bool is_at_run_time = false;  // what was installed does not run, rather than does not build
  Texts title;
  std::string explanation;
  std::vector<Signature> signatures;
  std::vector<std::string> explains;
  std::vector<std::string> yields_to;
  std::vector<RemedyPlan> remedies;
  std::vector<Texts> avoid;
  std::vector<HostConflict> host_conflicts;
  std::vector<Reference> references;
};

enum class FileKind { kCause, kSymptom, kFacts, kUnit, kRemedy };

// What a pattern's firing means.
enum class PatternRole { kSignature, kFailure, kError, kFact, kUnitBegin, kUnitSuccess, kUnitWork };

struct PatternOwner {
  int file = 0;  // index into RuleSet::files()
  PatternRole role = PatternRole::kFact;
};

// One rule file: what is needed to search for its patterns, and its text for the rest.
struct RuleFile {
  std::string id;
  std::string origin;  // path below rules/, for messages
  FileKind kind = FileKind::kCause;
  std::string group;        // of a cause
  bool is_stable = false;   // of a cause
  std::string unit_kind;    // of a unit file
  std::string_view text;    // the whole as JSON; the rule set keeps it
  std::string_view source;  // the TOML it was read from; empty for what is built in
  int first_pattern = 0;    // its patterns in RuleSet::patterns()
  int pattern_count = 0;
  int first_derived = 0;  // its derived facts in RuleSet::derived()
  int derived_count = 0;
};

}  // namespace cudadoctor

#endif  // CUDADOCTOR_RULES_RULE_H_

// rules/parse.h: rule files, read from TOML and kept as JSON, to the rule model.
#ifndef CUDADOCTOR_RULES_PARSE_H_
#define CUDADOCTOR_RULES_PARSE_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "json/json_fwd.h"
#include "rules/pattern_text.h"
#include "rules/rule.h"

namespace cudadoctor {

// What is needed of a file before one of its patterns fires.
struct ParsedFile {
  RuleFile file;
  std::vector<Pattern> patterns;  // atoms are filled in
  std::vector<PatternRole> roles;
  std::vector<DerivedFact> derived;
};

// `json` are the values of a rule file and `source` is its TOML text, of which the result holds a
// view; its `file.text` is left empty.
// Errors of all of these: kInvalidArgument, see toml/toml.h's MistakeInToml; of a file that is
// built in "ORIGIN: POINTER: what is wrong; what to do".
absl::StatusOr<ParsedFile> ParseRuleFile(const Json& json, std::string_view source,
                                         const std::string& origin, const Fragments& fragments);

// `file` is one whose kind is kCause, with its place in the rule set's patterns.
absl::StatusOr<Cause> ParseCause(const RuleFile& file, const std::vector<Pattern>& patterns);
absl::StatusOr<SharedRemedy> ParseSharedRemedy(const RuleFile& file);

// The parts of expressions that `json`, the values of rules/fragments.toml, names.
absl::StatusOr<Fragments> ParseFragments(const Json& json, std::string_view source,
                                         const std::string& origin, Fragments known);

// The facts that only a machine states, named under "host" in a file of facts; for checking rules.
// Of a file of facts; empty for most.
absl::StatusOr<Ways> ParseWays(const RuleFile& file);
absl::StatusOr<std::vector<std::string>> ParseNamesOfHostFacts(const RuleFile& file);

struct Examples {
  std::vector<Example> examples;
  std::vector<Example> counter_examples;
};
absl::StatusOr<Examples> ParseExamples(const RuleFile& file);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_RULES_PARSE_H_

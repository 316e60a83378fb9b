// engine/rule_check.h: what a rule set must fulfil before its answers can be trusted.
#ifndef CUDADOCTOR_ENGINE_RULE_CHECK_H_
#define CUDADOCTOR_ENGINE_RULE_CHECK_H_

#include <string>
#include <vector>

#include "rules/rule_set.h"

namespace cudadoctor {

struct RuleCheck {
  int files = 0;
  int examples = 0;                   // that were run, counter-examples included
  std::vector<std::string> mistakes;  // with file, line and caret: toml/toml.h's MistakeInToml
};

// Runs every example of the files whose ids are in `ids` (all when empty) through `rules`, and
// checks what the JSON Schema cannot: holes that nothing fills, groups without a capture and
// captures without a group, relations that name nothing or close a cycle, patterns that no example
// reaches, facts with two types, unknown look-ups, commands that no remedy may hold, steps that
// only look.
RuleCheck CheckRules(const RuleSet& rules, const std::vector<std::string>& ids);

// Whether a command does what no remedy may: remove what works, disable verification, delete locks,
// link libraries of another version, pipe a download into a shell.
bool IsHarmfulCommand(const std::string& command);

// Whether a command changes nothing: each of its parts only shows something.
bool IsLook(const std::string& command);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_ENGINE_RULE_CHECK_H_

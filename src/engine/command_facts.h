// engine/command_facts.h: what a command states before it says anything.
#ifndef CUDADOCTOR_ENGINE_COMMAND_FACTS_H_
#define CUDADOCTOR_ENGINE_COMMAND_FACTS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "base/environment.h"
#include "model/fact.h"
#include "remedy/shell.h"
#include "rules/rule_set.h"

namespace cudadoctor {

// Facts of a command that is run here, with origin host: what the rules read in it when it stands
// at a prompt (command, tool, no_build_isolation …), the one package that it names, and the
// variables of its environment that choose how to build (max_jobs, nvcc_threads, arch_list).
// Errors: those of Session.
absl::StatusOr<std::vector<Fact>> FactsOfCommand(const RuleSet& rules, const CommandLine& command,
                                                 const Environment& environment);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_ENGINE_COMMAND_FACTS_H_

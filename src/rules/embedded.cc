#include <utility>

#include "base/status_macros.h"
#include "rules/rule_set.h"

// Defined by embedded_rules.S, which the build writes: what RuleSet::Serialize returned.
extern "C" const char cudadoctor_embedded_rules[];
extern "C" const char cudadoctor_embedded_rules_end[];

namespace cudadoctor {

// Here and not in rule_set.cc, so that the tool that writes the embedded rules links without them.
absl::StatusOr<std::unique_ptr<RuleSet>> RuleSet::Create(const std::vector<SourceFile>& overlay) {
  const auto size = static_cast<size_t>(cudadoctor_embedded_rules_end - cudadoctor_embedded_rules);
  ASSIGN_OR_RETURN(std::unique_ptr<RuleSet> rules, FromEmbedded({cudadoctor_embedded_rules, size}));
  RETURN_IF_ERROR(rules->AddFragments(overlay));
  for (const SourceFile& source : overlay) RETURN_IF_ERROR(rules->Add(source));
  RETURN_IF_ERROR(rules->Finish());
  return rules;
}

}  // namespace cudadoctor

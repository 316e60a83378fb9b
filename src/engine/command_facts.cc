#include "engine/command_facts.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "engine/session.h"
#include "model/build_variables.h"
#include "remedy/own_command.h"

namespace cudadoctor {
namespace {

// The requirements that a command is asked to install; paths and URLs name no package.
std::vector<std::string> Requirements(const std::vector<std::string>& command) {
  std::vector<std::string> found;
  for (std::string& target : TargetsOf(command)) {
    if (!target.starts_with("-e ") && target.find('/') == std::string::npos &&
        !target.starts_with('.') && Normalize(ValueType::kRequirement, target).has_value())
      found.push_back(std::move(target));
  }
  return found;
}

// Of "flash-attn[extra]==2.8.3" the name, and the version where it is fixed.
void AddPackage(const std::string& requirement, std::vector<Fact>& facts) {
  const size_t end = requirement.find_first_of("[=<>!~; @");
  if (std::optional<std::string> name = Normalize(ValueType::kPackage, requirement.substr(0, end)))
    facts.push_back({"package", ValueType::kPackage, *std::move(name), Origin::kHost});
  const size_t equals = requirement.find("==");
  if (equals == std::string::npos) return;
  if (std::optional<std::string> version =
          Normalize(ValueType::kVersion, requirement.substr(equals + 2)))
    facts.push_back({"package_version", ValueType::kVersion, *std::move(version), Origin::kHost});
}

}  // namespace

absl::StatusOr<std::vector<Fact>> FactsOfCommand(const RuleSet& rules, const CommandLine& command,
                                                 const Environment& environment) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Session> session, Session::Create(rules, {}));
  RETURN_IF_ERROR(session->Feed(absl::StrCat("$ ", WriteCommandLine(command), "\n")));
  ASSIGN_OR_RETURN(Report report, session->Finish(std::nullopt));
  std::vector<Fact> facts;
  for (Fact& fact : report.facts)
    facts.push_back({std::move(fact.name), fact.type, std::move(fact.value), Origin::kHost});
  // A program of the user's own, which no rule would take for a command in a log.
  const auto is_command = [](const Fact& fact) { return fact.name == "command"; };
  const std::string line = WriteCommandLine(command);
  if (std::none_of(facts.begin(), facts.end(), is_command) && ParseCommandLine(line).has_value())
    facts.push_back({"command", ValueType::kCommand, line, Origin::kHost});
  // Of several packages nobody knows yet which one fails.
  const std::vector<std::string> requirements = Requirements(command.words);
  if (requirements.size() == 1) AddPackage(requirements.front(), facts);
  for (Fact& fact : FactsOfBuildVariables(environment)) facts.push_back(std::move(fact));
  return facts;
}

}  // namespace cudadoctor

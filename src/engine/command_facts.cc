#include "engine/command_facts.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "engine/session.h"
#include "model/build_variables.h"
#include "remedy/shell.h"

namespace cudadoctor {
namespace {

// Options of pip and uv whose next word is their value.
constexpr std::array<std::string_view, 22> kTakesValue = {
    "-i", "--index-url",       "--extra-index-url", "--index",    "--default-index", "-r",
    "-c", "--requirement",     "--constraint",      "-f",         "--find-links",    "-t",
    "-e", "--editable",        "--target",          "--prefix",   "--root",          "-p",
    "-C", "--config-settings", "--python",          "--no-binary"};

// The requirements that `install` is asked for; paths and URLs name no package.
std::vector<std::string> Requirements(const std::vector<std::string>& command) {
  std::vector<std::string> found;
  auto word = std::find(command.begin(), command.end(), "install");
  if (word == command.end()) word = std::find(command.begin(), command.end(), "add");
  if (word == command.end()) return found;
  for (++word; word != command.end(); ++word) {
    if (std::find(kTakesValue.begin(), kTakesValue.end(), *word) != kTakesValue.end()) {
      if (++word == command.end()) break;
    } else if (!word->starts_with('-') && word->find('/') == std::string::npos && *word != "." &&
               Normalize(ValueType::kRequirement, *word).has_value()) {
      found.push_back(*word);
    }
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

absl::StatusOr<std::vector<Fact>> FactsOfCommand(const RuleSet& rules,
                                                 const std::vector<std::string>& command,
                                                 const Environment& environment) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Session> session, Session::Create(rules, {}));
  RETURN_IF_ERROR(session->Feed(absl::StrCat("$ ", WriteCommandLine({{}, command}), "\n")));
  ASSIGN_OR_RETURN(Report report, session->Finish(std::nullopt));
  std::vector<Fact> facts;
  for (Fact& fact : report.facts)
    facts.push_back({std::move(fact.name), fact.type, std::move(fact.value), Origin::kHost});
  // Of several packages nobody knows yet which one fails.
  const std::vector<std::string> requirements = Requirements(command);
  if (requirements.size() == 1) AddPackage(requirements.front(), facts);
  for (Fact& fact : FactsOfBuildVariables(environment)) facts.push_back(std::move(fact));
  return facts;
}

}  // namespace cudadoctor

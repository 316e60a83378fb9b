#include "redact/report.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/views.h"
#include "redact/credentials.h"
#include "redact/expression.h"
#include "redact/people.h"
#include "redact/substitute.h"

namespace cudadoctor {
namespace {

// Fits every type of a fact but numbers and versions.
constexpr std::string_view kHiddenWord = "hidden";

void AddNote(std::string_view text, Step& step) {
  absl::StrAppend(&step.note, step.note.empty() ? "" : "; ", Absl(text));
}

// A name as a shell variable: "-DAPI_KEY" gives API_KEY, "api-key" API_KEY; `otherwise` when it can
// be none.
std::string VariableOf(std::string_view name, std::string_view otherwise) {
  if (name.starts_with("-D")) name.remove_prefix(2);
  while (!name.empty() && !absl::ascii_isalpha(static_cast<unsigned char>(name.front())))
    name.remove_prefix(1);
  std::string variable = absl::AsciiStrToUpper(Absl(name));
  for (char& c : variable) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return variable.empty() ? std::string(otherwise) : variable;
}

// What a mask at `at` of a command stands for.
std::string VariableOfMask(std::string_view command, size_t at) {
  static const Expression kOption(R"re((?s).*(?:^|\s)(--?[A-Za-z][\w-]*)["']?(?:\s+|=)["']?)re");
  static const Expression kAssigned(R"re((?s).*?([\w.-]+)\\*["']?\s?[=:]\s?\\*["']?)re");
  std::string_view before = command.substr(0, at);
  while (before.ends_with('\'') || before.ends_with('"')) before.remove_suffix(1);
  const size_t word_begin = before.find_last_of(" \t\"'") + 1;
  const std::string_view word = before.substr(word_begin);
  if (const size_t scheme = word.find("://"); scheme != std::string_view::npos) {
    const std::string_view rest = word.substr(scheme + 3);
    const bool is_git = word.find("git") < scheme || word.find("ssh") < scheme;
    if (rest.find('/') == std::string_view::npos) {
      return absl::StrCat(is_git ? "GIT_" : "INDEX_",
                          rest.find(':') == std::string_view::npos ? "CREDENTIALS" : "PASSWORD");
    }
    if (rest.ends_with("/t/")) return "CONDA_TOKEN";
    const size_t query = rest.find_last_of("?&;");
    if (query != std::string_view::npos && rest.ends_with('='))
      return absl::StrCat("URL_",
                          VariableOf(rest.substr(query + 1, rest.size() - query - 2), "TOKEN"));
    return "URL_TOKEN";
  }
  std::string variable;
  const auto take = [&variable](const auto& groups) {
    variable = VariableOf(groups[1], "SECRET");
    return static_cast<size_t>(-2);
  };
  if (absl::StrContains(absl::AsciiStrToLower(Absl(before)), "authorization:"))
    return "AUTHORIZATION";
  if (kAssigned.MatchesWhole(word)) {
    std::string_view name = word;
    while (!name.empty() &&
           std::string_view("=:\"'\\ ").find(name.back()) != std::string_view::npos)
      name.remove_suffix(1);
    return VariableOf(name.substr(name.find_last_of("=:") + 1), "SECRET");
  }
  if (kOption.MatchesWhole(before)) kOption.ForEachMatch(before, take);
  return variable.empty() || variable.size() == 1 ? "SECRET" : variable;
}

// Puts variables into the commands of a report. A second value for a name gets a second name.
class CommandRedactor {
 public:
  using FindParts = std::function<std::vector<VariablePart>(std::string_view command)>;

  explicit CommandRedactor(FindParts find) : find_(std::move(find)) {}

  void Redact(Remedy& remedy) {
    std::string said;
    for (Step& step : remedy.steps) {
      std::vector<std::string> used;
      std::optional<std::string> run = Run(step.run, used);
      step.run = run.value_or("");
      std::vector<std::string> used_by_goal;
      step.goal = Run(step.goal, used_by_goal).value_or("");
      if (!run.has_value()) {
        AddNote("the command is left out: it holds a secret where no variable can stand", step);
        used.clear();
      }
      Explain(used, said, step);
    }
    std::vector<std::string> used;
    for (auto& [name, value] : remedy.env) {
      const std::vector<VariablePart> parts = find_(value);
      for (const VariablePart& part : parts) used.push_back(part.variable);
      value = PutVariablesUnquoted(value, parts);
    }
    if (remedy.check.has_value()) {
      std::optional<std::string> run = Run(remedy.check->run, used);
      if (run.has_value()) {
        remedy.check->run = *std::move(run);
      } else {
        remedy.check.reset();
      }
    }
    if (!remedy.steps.empty()) Explain(used, said, remedy.steps.back());
  }

 private:
  // Says what those of `used` stand for that are not set in every shell, once a remedy.
  static void Explain(const std::vector<std::string>& used, std::string& said, Step& step) {
    for (const std::string& variable : used) {
      const std::string word = absl::StrCat(" ", variable, " ");
      if (variable == "HOME" || variable == "USER" || absl::StrContains(said, word)) continue;
      said += word;
      AddNote(absl::StrCat(variable, variable == "WINDOWS_USER"
                                         ? " stands for the name of your folder in C:\\Users"
                                         : " stands for what is not shown here; set it first"),
              step);
    }
  }

  std::optional<std::string> Run(std::string_view command, std::vector<std::string>& used) {
    const std::vector<VariablePart> parts = find_(command);
    for (const VariablePart& part : parts) used.push_back(part.variable);
    return PutVariables(command, parts);
  }

  const FindParts find_;
};

std::vector<VariablePart> Masks(std::string_view command) {
  std::vector<VariablePart> parts;
  for (size_t at = command.find(kMask); at != std::string_view::npos;) {
    size_t end = at + kMask.size();
    while (end < command.size() && command[end] == '*') ++end;
    parts.push_back({at, end, VariableOfMask(command, at), /*is_quoted_alone=*/true});
    at = command.find(kMask, end);
  }
  return parts;
}

// The variables that stand for people, the same in all commands of a report.
class PersonVariables {
 public:
  explicit PersonVariables(Pseudonyms& names) : names_(names) {}

  std::vector<VariablePart> Parts(std::string_view text) {
    std::vector<VariablePart> parts;
    for (const Person& person : names_.Find(text)) {
      const std::string_view name = text.substr(person.name, person.name_end - person.name);
      parts.push_back({person.begin, person.end, VariableFor(person.kind, name),
                       person.kind == PersonKind::kEmail});
    }
    return parts;
  }

 private:
  std::string VariableFor(PersonKind kind, std::string_view name) {
    const char* base = kind == PersonKind::kHome             ? "HOME"
                       : kind == PersonKind::kEmail          ? "EMAIL"
                       : kind == PersonKind::kWindowsAccount ? "WINDOWS_USER"
                       : kind == PersonKind::kHost           ? "SERVER"
                                                             : "USER";
    // /home/alice and C:\Users\alice are the folder of one account.
    std::vector<std::string>& values = values_[base];
    const std::string person = names_.Of(kind, name);
    auto known = std::find(values.begin(), values.end(), person);
    if (known == values.end()) known = values.insert(known, person);
    const auto index = known - values.begin() + 1;
    return index == 1 ? base : absl::StrCat(base, "_", index);
  }

  Pseudonyms& names_;
  std::map<std::string, std::vector<std::string>> values_;
};

// Calls `take` with every text of `report` that is no command.
template <typename Take>
void ForEachText(Report& report, const Take& take) {
  take(report.input.name);
  take(report.input.path_in_tree);
  for (Unit& unit : report.units) take(unit.name);
  for (Fact& fact : report.facts) take(fact.at);
  for (Diagnosis& diagnosis : report.diagnoses) {
    take(diagnosis.title);
    take(diagnosis.package);
    for (Evidence& evidence : diagnosis.evidence)
      if (evidence.source.has_value()) take(evidence.source->file);
    for (Symptom& symptom : diagnosis.symptoms) take(symptom.text);
    for (Remedy& remedy : diagnosis.remedies) {
      take(remedy.title);
      take(remedy.why);
      take(remedy.cost);
      for (Step& step : remedy.steps) take(step.note);
      if (remedy.check.has_value()) take(remedy.check->says);
    }
    for (std::string& avoid : diagnosis.avoid) take(avoid);
  }
  for (Excerpt& excerpt : report.excerpts)
    for (std::string& line : excerpt.lines) take(line);
}

void Learn(Report& report, Pseudonyms& names) {
  ForEachText(report, [&names](const std::string& text) { names.Learn(text); });
  for (const Fact& fact : report.facts) names.Learn(fact.value);
  for (const Diagnosis& diagnosis : report.diagnoses) {
    for (const Evidence& evidence : diagnosis.evidence) names.Learn(evidence.text);
    for (const Remedy& remedy : diagnosis.remedies)
      for (const Step& step : remedy.steps) names.Learn(step.run);
  }
}

void Hide(Pseudonyms& names, Report& report) {
  PersonVariables variables(names);
  CommandRedactor redactor([&variables](std::string_view text) { return variables.Parts(text); });
  for (Diagnosis& diagnosis : report.diagnoses) {
    for (Remedy& remedy : diagnosis.remedies) redactor.Redact(remedy);
    for (Evidence& evidence : diagnosis.evidence)
      evidence.text = names.Hide(evidence.text, &evidence.column);
  }
  ForEachText(report, [&names](std::string& text) { text = names.Hide(text); });
  for (Fact& fact : report.facts) {
    std::string value = names.Hide(fact.value);
    if (!Normalize(fact.type, value).has_value()) value = kHiddenWord;
    fact.value = std::move(value);
  }
}

}  // namespace

void NameMasks(Diagnosis& diagnosis) {
  CommandRedactor redactor(Masks);
  for (Remedy& remedy : diagnosis.remedies) redactor.Redact(remedy);
}

std::optional<std::string> NameCredentials(std::string_view command,
                                           std::vector<std::string>& used) {
  const std::string masked = HideCredentials(command);
  const std::vector<VariablePart> parts = Masks(masked);
  for (const VariablePart& part : parts) used.push_back(part.variable);
  return PutVariables(masked, parts);
}

void HideCredentials(Fact& fact) {
  fact.at = HideCredentials(fact.at);
  const std::vector<Span> found = FindCredentials(fact.value);
  if (found.empty()) return;
  fact.value = Normalize(fact.type, Mask(fact.value, found)).value_or("");
}

void HidePeople(std::span<Report> reports) {
  Pseudonyms names;
  for (Report& report : reports) Learn(report, names);
  for (Report& report : reports) Hide(names, report);
}

}  // namespace cudadoctor

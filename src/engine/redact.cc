#include "engine/redact.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/views.h"
#include "match/regex.h"
#include "match/secrets.h"
#include "remedy/substitute.h"

namespace cudadoctor {
namespace {

// Fits every type of a fact but numbers and versions.
constexpr std::string_view kHiddenWord = "hidden";

std::string_view MarkOf(SecretKind kind) {
  switch (kind) {
    case SecretKind::kEmail:
      return "***@***";
    case SecretKind::kHome:
      return "~";
    case SecretKind::kValue:
    case SecretKind::kAccount:
      break;
  }
  return "***";
}

// `mark` of a kind in the place of each secret of `line`. `column` (1-based, 0 for none) moves with
// the byte that it names; one inside a secret comes to stand on its mark.
template <typename Mark>
std::string Replace(std::string_view line, const Mark& mark, int* column = nullptr) {
  std::string text;
  size_t done = 0;
  const auto at =
      column == nullptr || *column < 1 ? std::string_view::npos : static_cast<size_t>(*column - 1);
  for (const Secret& secret : FindSecrets(line)) {
    absl::StrAppend(&text, Absl(line.substr(done, secret.begin - done)));
    if (at >= secret.begin && at < secret.end) *column = static_cast<int>(text.size()) + 1;
    absl::StrAppend(&text, Absl(mark(secret.kind)));
    done = secret.end;
    if (at != std::string_view::npos && at >= done)
      *column = static_cast<int>(text.size() + (at - done)) + 1;
  }
  return absl::StrCat(text, Absl(line.substr(done)));
}

void RedactInPlace(std::string& line) { line = RedactText(line); }

// Whether the fact still fits its type.
bool RedactFact(Fact& fact) {
  RedactInPlace(fact.at);
  std::string value = RedactText(fact.value);
  if (value == fact.value) return true;
  if (!Normalize(fact.type, value).has_value())
    value = Replace(fact.value, [](SecretKind) { return kHiddenWord; });
  fact.value = std::move(value);
  return Normalize(fact.type, fact.value).has_value();
}

// The lines of a private key have no shape of their own: they are found by its first and last line,
// of which an excerpt may hold only one.
void RedactExcerpt(Excerpt& excerpt) {
  const std::string kBegin = "-----BEGIN [A-Z0-9 ]*PRIVATE KEY";
  const std::string kEnd = "-----END [A-Z0-9 ]*PRIVATE KEY";
  std::vector<bool> is_key(excerpt.lines.size(), false);
  bool is_inside = false;
  for (size_t i = 0; i < excerpt.lines.size(); ++i) {
    std::string& line = excerpt.lines[i];
    RedactInPlace(line);
    if (!absl::StrContains(line, "PRIVATE KEY")) {
      is_key[i] = is_inside;
      continue;
    }
    if (!is_inside && RegexFinds(kEnd, line) && !RegexFinds(kBegin, line)) {
      for (size_t above = i;
           above-- > 0 && RegexFinds("[A-Za-z0-9+/=]{16,}$", excerpt.lines[above]);)
        is_key[above] = true;
    }
    is_inside = (is_inside || RegexFinds(kBegin, line)) && !RegexFinds(kEnd, line);
  }
  for (size_t i = 0; i < excerpt.lines.size(); ++i) {
    if (is_key[i]) excerpt.lines[i] = MarkOf(SecretKind::kValue);
  }
}

// The variables of one report's commands. A second value for a name gets a second name.
class CommandRedactor {
 public:
  void Redact(Remedy& remedy) {
    std::string said;
    for (Step& step : remedy.steps) {
      RedactInPlace(step.note);
      std::vector<std::string> used;
      std::optional<std::string> run = Run(step.run, used);
      step.run = run.value_or("");
      if (!run.has_value()) {
        AddNote(
            "the command is left out: it holds a secret where no variable can stand; "
            "--no-redact shows it",
            step);
      }
      Explain(used, said, step);
    }
    std::vector<std::string> used;
    for (auto& [name, value] : remedy.env)
      value = PutVariablesUnquoted(value, PartsOf(value, used));
    if (remedy.check.has_value()) {
      std::optional<std::string> run = Run(remedy.check->run, used);
      if (run.has_value()) {
        remedy.check->run = *std::move(run);
        RedactInPlace(remedy.check->says);
      } else {
        remedy.check.reset();
      }
    }
    if (!remedy.steps.empty()) Explain(used, said, remedy.steps.back());
  }

 private:
  static void AddNote(std::string_view text, Step& step) {
    absl::StrAppend(&step.note, step.note.empty() ? "" : "; ", Absl(text));
  }

  // Says what those of `used` stand for that are not set in every shell, once a remedy.
  static void Explain(const std::vector<std::string>& used, std::string& said, Step& step) {
    for (const std::string& variable : used) {
      const std::string word = absl::StrCat(" ", variable, " ");
      if (variable == "HOME" || variable == "USER" || absl::StrContains(said, word)) continue;
      said += word;
      AddNote(absl::StrCat(variable, variable == "WINDOWS_USER"
                                         ? " stands for the name of your folder in C:\\Users"
                                         : " stands for what this report hides; set it first"),
              step);
    }
  }

  std::string VariableFor(const Secret& secret, std::string_view hidden) {
    // /home/alice and C:\Users\alice are the folder of one account.
    if (secret.kind == SecretKind::kHome) hidden.remove_prefix(hidden.find_last_of("/\\") + 1);
    std::vector<std::string>& values = values_[secret.variable];
    auto known = std::find(values.begin(), values.end(), hidden);
    if (known == values.end()) known = values.insert(known, std::string(hidden));
    const auto index = known - values.begin() + 1;
    return index == 1 ? secret.variable : absl::StrCat(secret.variable, "_", index);
  }

  std::vector<VariablePart> PartsOf(std::string_view text, std::vector<std::string>& used) {
    std::vector<VariablePart> parts;
    for (const Secret& secret : FindSecrets(text)) {
      VariablePart part{secret.begin, secret.end,
                        VariableFor(secret, text.substr(secret.begin, secret.end - secret.begin)),
                        secret.kind == SecretKind::kValue || secret.kind == SecretKind::kEmail};
      used.push_back(part.variable);
      parts.push_back(std::move(part));
    }
    return parts;
  }

  std::optional<std::string> Run(std::string_view command, std::vector<std::string>& used) {
    return PutVariables(command, PartsOf(command, used));
  }

  std::map<std::string, std::vector<std::string>> values_;
};

void RedactDiagnosis(Diagnosis& diagnosis, CommandRedactor& commands) {
  RedactInPlace(diagnosis.title);
  RedactInPlace(diagnosis.package);
  for (Evidence& evidence : diagnosis.evidence) {
    evidence.text = Replace(evidence.text, MarkOf, &evidence.column);
    if (evidence.source.has_value()) RedactInPlace(evidence.source->file);
  }
  for (Symptom& symptom : diagnosis.symptoms) RedactInPlace(symptom.text);
  for (Remedy& remedy : diagnosis.remedies) {
    RedactInPlace(remedy.title);
    RedactInPlace(remedy.why);
    RedactInPlace(remedy.cost);
    commands.Redact(remedy);
  }
  for (std::string& avoid : diagnosis.avoid) RedactInPlace(avoid);
}

}  // namespace

std::string RedactText(std::string_view line) { return Replace(line, MarkOf); }

void Redact(Report& report) {
  for (Unit& unit : report.units) RedactInPlace(unit.name);
  std::vector<Fact> facts;
  for (Fact& fact : report.facts) {
    if (RedactFact(fact)) facts.push_back(std::move(fact));
  }
  report.facts = std::move(facts);
  CommandRedactor commands;
  for (Diagnosis& diagnosis : report.diagnoses) RedactDiagnosis(diagnosis, commands);
  for (Excerpt& excerpt : report.excerpts) RedactExcerpt(excerpt);
}

}  // namespace cudadoctor

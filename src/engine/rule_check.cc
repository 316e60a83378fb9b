#include "engine/rule_check.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "engine/session.h"
#include "knowledge/knowledge.h"
#include "match/log_scanner.h"
#include "match/regex.h"
#include "remedy/holes.h"
#include "remedy/template.h"
#include "rules/json_reader.h"
#include "rules/parse.h"

namespace cudadoctor {
namespace {

const char* const kHarmful[] = {
    R"((?i)--break-system-packages)",
    R"((?i)\bsudo\s+(-\w\s+)?(python3?\s+-m\s+)?pip)",
    R"((?i)--trusted-host|--allow-unauthenticated|--no-gpg-check|--nogpgcheck|--force-yes|trusted\s*=\s*yes)",
    R"((?i)sslVerify\s*=?\s*false|http\.sslVerify|GIT_SSL_NO_VERIFY|PYTHONHTTPSVERIFY\s*=\s*0|CURL_INSECURE|--insecure|--no-check-certificate)",
    R"((?i)\b(curl|wget)\b[^|;&]*\|\s*(sudo\s+)?(ba|z)?sh)",
    R"((?i)\b(apt|apt-get|dnf|yum|zypper)\s+(-\S+\s+)*(remove|purge|autoremove))",
    R"((?i)\b(rm|del|find)\b.*(/var/lib/(dpkg|apt)|\block\b.*-delete|\S\.lock\b|/lock\b))",
    R"((?i)\brm\s+-\w*[rf]\w*\s+["']?[~/]["']?(\s|$))",
    R"((?i)\bln\s+-s\S*\s+\S*\.so)",
    R"((?i)chmod\s+(-R\s+)?(a\+rwx|0?777)|\brmmod\b|\bkill(all)?\s+-9\s+-1)",
};

// Commands that change nothing, each from its first word.
const char* const kLooks[] = {
    R"((?:grep|head|tail|wc|sort|uniq|cut|ls|df|du|cat|printenv|echo|printf|which|where|whereis|file|ldd|nm|objdump|readelf|strings|cuobjdump|rocminfo|ps|pgrep|lsof|fuser|uname|id|whoami|nproc|free|lspci|lsmod|lscpu|lsblk|dmesg|journalctl|getent|nslookup|dig|ping|apt-cache|tasklist|findstr)(?:\s|$))",
    R"((?:env|date|set|mount|hostname)$)",
    R"(find\s(?:[^-]|-[^de]|-depth)*$|sed\s+-n\s|ldconfig\s+-p|command\s+-v\s|ulimit\s+-\w$)",
    R"(python3?\s+-c\s|[\w+.-]+\s+(?:--version|-V)$|\S+\s+-v\s+-E\s)",
    R"((?:uv\s+|python3?\s+-m\s+)?pip3?\s+(?:list|show|freeze|tree|check|debug|index|inspect|config\s+(?:list|get|debug)|cache\s+(?:dir|info|list))(?:\s|$))",
    R"(uv\s+(?:tree|python\s+list|cache\s+dir)|(?:conda|mamba)\s+(?:list|info|search|config\s+--show))",
    R"(apt\s+(?:list|search|show|policy)\s|apt-file\s+search|dpkg\s+-[lLS]\s*|(?:dnf|yum)\s+(?:list|info|search|provides|repolist)|zypper\s+(?:search|se|info)\s|pacman\s+-(?:Q|S[si])|rpm\s+-q)",
    R"(git\s+(?:log|status|show|diff|ls-remote|ls-files|remote\s+-v|config\s.*--get|submodule\s+status|clean\s+-\w*n))",
    R"(nvidia-smi(?:\s+(?:-L|-q|--query|--list)|$)|module\s+(?:avail|spider|list|show)|mokutil\s+--sb-state|systemctl\s+(?:status|list|is-)|ubuntu-drivers\s+(?:list|devices)|curl\s+-\w*I|docker\s+(?:ps|info|images|inspect|logs))",
};

// The commands that `;`, `&&`, `||`, `|` or a new line separate outside quotes.
std::vector<std::string> PartsOf(const std::string& command) {
  std::vector<std::string> parts(1);
  char quote = 0;
  for (const char c : command) {
    if (quote == 0 && (c == ';' || c == '&' || c == '|' || c == '\n')) {
      parts.emplace_back();
      continue;
    }
    if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    }
    parts.back() += c;
  }
  return parts;
}

class Checker {
 public:
  Checker(const RuleSet& rules, const std::vector<std::string>& ids) : rules_(rules) {
    for (size_t f = 0; f < rules.files().size(); ++f) {
      const RuleFile& file = rules.files()[f];
      if (ids.empty() || std::find(ids.begin(), ids.end(), file.id) != ids.end())
        chosen_.push_back(static_cast<int>(f));
    }
    for (const std::string_view hole : kBuiltInHoles) fillable_.emplace(hole);
    for (const Pattern& pattern : rules.patterns()) {
      for (const auto& [group, spec] : *pattern.captures) fillable_.insert(spec.fact);
      for (const auto& [fact, value] : pattern.sets) fillable_.insert(fact);
    }
    for (const DerivedFact& derived : rules.derived()) fillable_.insert(derived.fact);
    for (const RuleFile& file : rules.files()) AddNamedFacts(file);
  }

  RuleCheck Run() {
    CheckFactTypes();
    for (const int f : chosen_) {
      const RuleFile& file = rules_.files()[f];
      ++result_.files;
      CheckGroups(file);
      if (file.kind == FileKind::kCause) CheckCause(f);
      if (file.kind == FileKind::kRemedy) {
        CheckSharedRemedy(file);
      } else {
        CheckExamples(file);
      }
    }
    CheckCycles();
    return std::move(result_);
  }

 private:
  // A mistake that an example only meets again is said once.
  void Fail(const RuleFile& file, std::string_view pointer, const std::string& what) {
    const bool is_of_example = pointer.find("examples/") != std::string_view::npos;
    if (!said_.insert(what).second && is_of_example) return;
    result_.mistakes.push_back(Mistake(file.origin, file.source, pointer, what));
  }

  void CheckFactTypes() {
    std::map<std::string, std::pair<ValueType, int>> known;
    for (size_t p = 0; p < rules_.patterns().size(); ++p) {
      for (const auto& [group, spec] : *rules_.patterns()[p].captures) {
        const auto [first, is_new] =
            known.try_emplace(spec.fact, spec.type, rules_.owners()[p].file);
        if (is_new || first->second.first == spec.type) continue;
        const RuleFile& file = rules_.files()[rules_.owners()[p].file];
        Fail(file, "/captures",
             absl::StrCat(
                 "the fact ", spec.fact, " has the type ", std::string(TypeName(spec.type)),
                 " here and ", std::string(TypeName(first->second.first)), " in ",
                 rules_.files()[first->second.second].origin, "; a fact has one type everywhere"));
        return;
      }
    }
  }

  // Facts that only a machine states, and parameters, which are facts within a shared remedy.
  void AddNamedFacts(const RuleFile& file) {
    if (file.kind == FileKind::kFacts) {
      const absl::StatusOr<std::vector<std::string>> names = ParseNamesOfHostFacts(file);
      if (names.ok()) fillable_.insert(names->begin(), names->end());
    }
    if (file.kind == FileKind::kRemedy) {
      const absl::StatusOr<const SharedRemedy*> shared = rules_.SharedRemedyOf(file.id);
      if (shared.ok()) fillable_.insert((*shared)->parameters.begin(), (*shared)->parameters.end());
    }
  }

  void CheckGroups(const RuleFile& file) {
    std::set<std::string> unread;
    for (int p = file.first_pattern; p < file.first_pattern + file.pattern_count; ++p) {
      for (const auto& [name, spec] : *rules_.patterns()[p].captures) unread.insert(name);
    }
    for (int p = file.first_pattern; p < file.first_pattern + file.pattern_count; ++p) {
      for (const std::string& regex : rules_.patterns()[p].regexes) {
        for (const std::string& group : GroupNames(regex)) {
          unread.erase(group);
          if (rules_.patterns()[p].captures->count(group) == 0) {
            Fail(file, "/captures",
                 absl::StrCat("the group \"", group, "\" of pattern ", rules_.patterns()[p].name,
                              " has no entry; add one with its type"));
          }
        }
      }
    }
    for (const std::string& name : unread) {
      Fail(file, absl::StrCat("/captures/", name),
           absl::StrCat("no pattern has a group named \"", name, "\"; add (?P<", name,
                        ">...) to a pattern or remove the capture"));
    }
  }

  void CheckCause(int f) {
    const RuleFile& file = rules_.files()[f];
    const absl::StatusOr<const Cause*> cause = rules_.CauseOf(f);
    if (!cause.ok()) {
      said_.insert(std::string(cause.status().message()));
      result_.mistakes.push_back(std::string(cause.status().message()));
      return;
    }
    const Cause& rule = **cause;
    for (const auto& [key, ids] :
         {std::pair{"/explains", &rule.explains}, std::pair{"/yields_to", &rule.yields_to}}) {
      for (const std::string& id : *ids) {
        const RuleFile* named = rules_.Find(id);
        if (named == nullptr ||
            (named->kind != FileKind::kCause && named->kind != FileKind::kSymptom)) {
          Fail(file, key, absl::StrCat("\"", id, "\" is neither a cause nor a symptom"));
        }
      }
    }
    if (rule.references.empty()) Fail(file, "/references", "a cause needs at least one reference");
    CheckTexts(file, "/title", rule.title);
    for (const Texts& texts : rule.avoid) CheckTexts(file, "/avoid", texts);
    for (size_t i = 0; i < rule.signatures.size(); ++i) {
      const std::string pointer = absl::StrCat("/signatures/", i);
      CheckConditions(file, pointer + "/where", rule.signatures[i].where);
      CheckTexts(file, pointer + "/title", rule.signatures[i].title);
    }
    for (size_t i = 0; i < rule.host_conflicts.size(); ++i)
      CheckConditions(file, absl::StrCat("/host_conflicts/", i, "/when"),
                      rule.host_conflicts[i].when);
    for (size_t i = 0; i < rule.remedies.size(); ++i)
      CheckRemedy(file, absl::StrCat("/remedies/", i), rule.remedies[i], {});
  }

  void CheckSharedRemedy(const RuleFile& file) {
    const absl::StatusOr<const SharedRemedy*> shared = rules_.SharedRemedyOf(file.id);
    if (!shared.ok()) {
      result_.mistakes.push_back(std::string(shared.status().message()));
      return;
    }
    for (size_t i = 0; i < (*shared)->variants.size(); ++i)
      CheckRemedy(file, absl::StrCat("/variants/", i), (*shared)->variants[i],
                  (*shared)->parameters);
  }

  void CheckRemedy(const RuleFile& file, const std::string& pointer, const RemedyPlan& remedy,
                   const std::vector<std::string>& parameters) {
    if (!remedy.use.empty()) {
      const absl::StatusOr<const SharedRemedy*> shared = rules_.SharedRemedyOf(remedy.use);
      if (!shared.ok()) {
        Fail(file, pointer + "/use", std::string(shared.status().message()));
        return;
      }
      for (const auto& [name, text] : remedy.with) {
        const std::vector<std::string>& known = (*shared)->parameters;
        if (std::find(known.begin(), known.end(), name) == known.end())
          Fail(file, pointer + "/with",
               absl::StrCat(remedy.use, " has no parameter \"", name, "\""));
        CheckHoles(file, pointer + "/with", text, {});
      }
    }
    CheckConditions(file, pointer + "/when", remedy.when);
    for (const auto& [key, texts] :
         {std::pair{"/title", &remedy.title}, std::pair{"/why", &remedy.why},
          std::pair{"/cost", &remedy.cost}}) {
      for (const std::string& text : *texts) CheckHoles(file, pointer + key, text, parameters);
    }
    for (size_t i = 0; i < remedy.steps.size(); ++i)
      CheckStep(file, absl::StrCat(pointer, "/steps/", i), remedy.steps[i], parameters);
    if (remedy.check.has_value())
      CheckCommand(file, pointer + "/check/run", remedy.check->first, parameters);
  }

  void CheckStep(const RuleFile& file, const std::string& pointer, const StepPlan& step,
                 const std::vector<std::string>& parameters) {
    CheckCommand(file, pointer + "/run", step.run, parameters);
    if (IsLook(step.run))
      Fail(file, pointer + "/run",
           absl::StrCat("\"", step.run,
                        "\" changes nothing; make it the check of the remedy, or a note"));
    for (const std::string& note : step.note) CheckHoles(file, pointer + "/note", note, parameters);
    CheckConditions(file, pointer + "/when", step.when);
    if (!step.rerun.has_value()) return;
    for (const auto& [name, value] : step.rerun->env) {
      CheckHoles(file, pointer + "/rerun/env", name, parameters);
      CheckHoles(file, absl::StrCat(pointer, "/rerun/env/", name), value, parameters);
    }
    for (const std::string& word : step.rerun->add)
      CheckCommand(file, pointer + "/rerun/add", word, parameters);
  }

  void CheckCommand(const RuleFile& file, const std::string& pointer, const std::string& command,
                    const std::vector<std::string>& parameters) {
    CheckHoles(file, pointer, command, parameters);
    if (IsHarmfulCommand(command))
      Fail(file, pointer, absl::StrCat("no remedy may run \"", command, "\""));
    if (RegexFinds(R"(<[a-z][\w -]*>)", command))
      Fail(file, pointer,
           absl::StrCat("\"", command, "\" holds a placeholder; use a fact's hole, or a note"));
  }

  void CheckTexts(const RuleFile& file, std::string_view pointer, const Texts& texts) {
    for (const std::string& text : texts) CheckHoles(file, pointer, text, {});
  }

  void CheckHoles(const RuleFile& file, std::string_view pointer, const std::string& text,
                  const std::vector<std::string>& parameters) {
    for (const std::string& hole : HolesOf(text)) {
      const bool is_parameter =
          std::find(parameters.begin(), parameters.end(), hole) != parameters.end();
      if (!is_parameter && fillable_.count(hole) == 0)
        Fail(file, pointer,
             absl::StrCat("no rule can fill the hole {", hole,
                          "}; capture that fact somewhere or leave the hole out"));
    }
  }

  void CheckConditions(const RuleFile& file, std::string_view pointer,
                       const std::vector<Condition>& conditions) {
    for (const Condition& condition : conditions) {
      CheckConditions(file, pointer, condition.conditions);
      if (condition.kind == Condition::Kind::kLookup && !Resolver::IsLookup(condition.lookup)) {
        Fail(file, pointer,
             absl::StrCat("there is no look-up \"",
                          absl::StrReplaceAll(condition.lookup, {{"-", "_"}}),
                          "\"; see CONTRIBUTING.md"));
      }
      for (const std::string& fact : {condition.fact, condition.other}) {
        if (!fact.empty() && fillable_.count(fact) == 0)
          Fail(file, pointer, absl::StrCat("no rule states the fact \"", fact, "\""));
      }
    }
  }

  // The causes that win over each cause must not form a circle.
  void CheckCycles() {
    std::map<std::string, std::set<std::string>> winners;
    for (size_t f = 0; f < rules_.files().size(); ++f) {
      if (rules_.files()[f].kind != FileKind::kCause) continue;
      const absl::StatusOr<const Cause*> cause = rules_.CauseOf(static_cast<int>(f));
      if (!cause.ok()) continue;
      winners[(*cause)->id].insert((*cause)->yields_to.begin(), (*cause)->yields_to.end());
      for (const std::string& id : (*cause)->explains) winners[id].insert((*cause)->id);
    }
    std::map<std::string, int> state;  // 1: on the way, 2: done
    std::vector<std::string> way;
    const auto visit = [&](const auto& self, const std::string& id) -> void {
      state[id] = 1;
      way.push_back(id);
      for (const std::string& winner : winners[id]) {
        if (state[winner] == 1) {
          const auto start = std::find(way.begin(), way.end(), winner);
          result_.mistakes.push_back(absl::StrCat(
              "explains and yields_to close a circle: ",
              absl::StrJoin(std::vector<std::string>(start, way.end()), " -> "), " -> ", winner));
        } else if (state[winner] == 0) {
          self(self, winner);
        }
      }
      way.pop_back();
      state[id] = 2;
    };
    std::vector<std::string> ids;
    for (const auto& [id, unused] : winners) ids.push_back(id);
    for (const std::string& id : ids) {
      if (state[id] == 0) visit(visit, id);
    }
  }

  void CheckExamples(const RuleFile& file) {
    const absl::StatusOr<Examples> examples = ParseExamples(file);
    if (!examples.ok()) {
      result_.mistakes.push_back(std::string(examples.status().message()));
      return;
    }
    if (examples->examples.empty()) Fail(file, "/examples", "a rule needs at least one example");
    if (examples->counter_examples.empty())
      Fail(file, "/counter_examples", "a rule needs at least one near miss that must stay silent");
    std::set<int> reached;
    for (size_t i = 0; i < examples->examples.size(); ++i)
      RunExample(file, absl::StrCat("/examples/", i), examples->examples[i], reached);
    for (size_t i = 0; i < examples->counter_examples.size(); ++i)
      RunCounterExample(file, absl::StrCat("/counter_examples/", i), examples->counter_examples[i],
                        reached);
    for (int p = file.first_pattern; p < file.first_pattern + file.pattern_count; ++p) {
      if (reached.count(p) == 0)
        Fail(file, "/examples",
             absl::StrCat("no example reaches the pattern ", rules_.patterns()[p].name));
    }
  }

  std::vector<Match> Scan(const RuleFile& file, const Example& example, std::set<int>& reached) {
    const std::vector<bool> opens(rules_.patterns().size(), true);
    LogScanner scanner(rules_.matcher(), opens);
    std::vector<Match> own;
    absl::Status status = scanner.Feed(absl::StrCat(absl::StrJoin(example.log, "\n"), "\n"));
    absl::StatusOr<std::vector<Match>> matches =
        status.ok() ? scanner.Finish() : absl::StatusOr<std::vector<Match>>(status);
    if (!matches.ok()) {
      Fail(file, "/examples", std::string(matches.status().message()));
      return own;
    }
    for (Match& match : *matches) {
      if (match.pattern < file.first_pattern ||
          match.pattern >= file.first_pattern + file.pattern_count)
        continue;
      reached.insert(match.pattern);
      own.push_back(std::move(match));
    }
    return own;
  }

  absl::StatusOr<Report> DiagnoseExample(const Example& example) {
    absl::StatusOr<std::unique_ptr<Session>> session =
        Session::Create(rules_, {.input_name = example.name});
    if (!session.ok()) return session.status();
    if (absl::Status status =
            (*session)->Feed(absl::StrCat(absl::StrJoin(example.log, "\n"), "\n"));
        !status.ok())
      return status;
    return (*session)->Finish(std::nullopt);
  }

  void RunExample(const RuleFile& file, const std::string& pointer, const Example& example,
                  std::set<int>& reached) {
    ++result_.examples;
    const std::vector<Match> matches = Scan(file, example, reached);
    std::vector<std::pair<std::string, std::string>> facts;
    std::vector<int> lines;
    if (file.kind == FileKind::kCause) {
      const absl::StatusOr<Report> report = DiagnoseExample(example);
      if (!report.ok()) return Fail(file, pointer, std::string(report.status().message()));
      const Diagnosis* found = nullptr;
      for (const Diagnosis& diagnosis : report->diagnoses) {
        if (diagnosis.cause == file.id && found == nullptr) found = &diagnosis;
      }
      if (found == nullptr) {
        const std::string instead =
            report->diagnoses.empty() ? "nothing" : report->diagnoses.front().cause;
        return Fail(file, pointer, absl::StrCat("gives ", instead, ", not ", file.id));
      }
      for (const Evidence& evidence : found->evidence) lines.push_back(evidence.line);
      for (const Fact& fact : report->facts) facts.emplace_back(fact.name, fact.value);
    } else {
      if (matches.empty()) return Fail(file, pointer, "no pattern of this rule fires");
      for (const Match& match : matches) {
        lines.push_back(match.first_line);
        for (const Capture& capture : match.captures)
          facts.emplace_back(capture.fact, capture.value);
      }
    }
    if (example.line > 0 && std::find(lines.begin(), lines.end(), example.line) == lines.end()) {
      Fail(file, pointer,
           absl::StrCat("the evidence is on line ", absl::StrJoin(lines, ", "), ", not on line ",
                        example.line));
    }
    for (const auto& fact : example.facts) {
      if (std::find(facts.begin(), facts.end(), fact) == facts.end())
        Fail(file, pointer, absl::StrCat("does not state ", fact.first, " = ", fact.second));
    }
  }

  void RunCounterExample(const RuleFile& file, const std::string& pointer, const Example& example,
                         std::set<int>& reached) {
    ++result_.examples;
    const std::vector<Match> matches = Scan(file, example, reached);
    if (file.kind != FileKind::kCause) {
      if (!matches.empty())
        Fail(file, pointer,
             absl::StrCat("the pattern ", rules_.patterns()[matches.front().pattern].name,
                          " fires"));
      return;
    }
    const absl::StatusOr<Report> report = DiagnoseExample(example);
    if (!report.ok()) return Fail(file, pointer, std::string(report.status().message()));
    for (const Diagnosis& diagnosis : report->diagnoses) {
      if (diagnosis.cause == file.id) Fail(file, pointer, absl::StrCat("gives ", file.id));
    }
  }

  const RuleSet& rules_;
  std::vector<int> chosen_;
  std::set<std::string> fillable_;
  std::set<std::string> said_;  // what mistakes say, without their places
  RuleCheck result_;
};

}  // namespace

bool IsHarmfulCommand(const std::string& command) {
  return std::any_of(std::begin(kHarmful), std::end(kHarmful),
                     [&](const char* pattern) { return RegexFinds(pattern, command); });
}

bool IsLook(const std::string& command) {
  static const std::string* const kFromFirstWord = new std::string(absl::StrCat(
      R"(^\s*(?:(?:\{sudo\}|sudo )\s*)?(?:\S*/)?(?:)", absl::StrJoin(kLooks, "|"), ")"));
  bool looks = false;
  for (std::string part : PartsOf(command)) {
    part = absl::StrReplaceAll(part, {{"2>/dev/null", ""}});
    absl::StripAsciiWhitespace(&part);
    if (part.empty()) continue;
    if (RegexFinds(R"(>)", part) || !RegexFinds(*kFromFirstWord, part)) return false;
    looks = true;
  }
  return looks;
}

RuleCheck CheckRules(const RuleSet& rules, const std::vector<std::string>& ids) {
  return Checker(rules, ids).Run();
}

}  // namespace cudadoctor

// diagnose/small_rules.h: rule sets made in a test, and logs diagnosed with them.
#ifndef CUDADOCTOR_TESTS_DIAGNOSE_SMALL_RULES_H_
#define CUDADOCTOR_TESTS_DIAGNOSE_SMALL_RULES_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "diagnose/diagnose.h"
#include "gtest/gtest.h"
#include "knowledge/knowledge.h"
#include "match/log_scanner.h"
#include "rules/rule_set.h"
#include "rules/toml_of.h"

namespace cudadoctor {

// A cause with one certain signature on `pattern`; `more` is inserted into the JSON object.
inline SourceFile CauseFile(const std::string& id, const std::string& pattern,
                            const std::string& more = "") {
  return {
      "test/" + id + ".toml",
      R"({"id": ")" + id +
          R"(", "group": "test", "status": "stable", "retry": "environment", "title": "title of )" +
          id + R"(", "explanation": "why )" + id +
          R"(", "signatures": [{"name": "only", "confidence": "certain", "all": [{"name": "only", "pattern": ")" +
          pattern + R"("}]}])" + (more.empty() ? "" : ", " + more) + "}"};
}

inline SourceFile SymptomFile(const std::string& id, const std::string& pattern,
                              const std::string& kind = "failure", const std::string& more = "") {
  return {"symptoms/" + id + ".toml",
          R"({"id": ")" + id + R"(", "kind": ")" + kind + R"(", "patterns": [{"name": ")" + id +
              R"(", "pattern": ")" + pattern + R"("}])" + (more.empty() ? "" : ", " + more) + "}"};
}

// Docker steps, CI steps and package builds; "SUCCEEDED" makes any unit good.
inline std::vector<SourceFile> UnitFiles() {
  return {
      {"units/docker-step.toml", R"({"id": "docker-step", "unit": "docker-step",
         "begin": [{"name": "begin-docker", "pattern": "^#\\d+ \\[(?P<step>[^\\]]+)\\] EXECUTE"}], "captures": {"step": {"type": "text", "fact": "step"}}})"},
      {"units/ci-step.toml", R"({"id": "ci-step", "unit": "ci-step",
         "begin": [{"name": "begin-ci", "pattern": "^BEGINSTEP (?P<step>.+)$"}], "captures": {"step": {"type": "text", "fact": "step"}}})"},
      {"units/package-build.toml", R"({"id": "package-build", "unit": "package-build",
         "begin": [{"name": "begin-build", "pattern": "^STARTBUILD (?P<package>\\S+)$"}],
         "success": [{"name": "succeeded", "pattern": "SUCCEEDED"}], "captures": {"package": {"type": "package"}}})"},
  };
}

// A rule set of files and tables that are written as JSON here, and the findings of the last log.
// The findings refer to this object.
class SmallRules {
 public:
  explicit SmallRules(std::vector<SourceFile> files,
                      std::vector<std::pair<std::string, std::string>> tables = {}) {
    for (auto& [name, text] : tables) files.push_back({"knowledge/" + name + ".toml", text});
    for (SourceFile& file : files) file.text = TomlOf(file.text);
    absl::StatusOr<std::unique_ptr<RuleSet>> made = RuleSet::FromSources(files);
    EXPECT_TRUE(made.ok()) << made.status();
    if (!made.ok()) return;
    rules = *std::move(made);
    knowledge = std::make_unique<Knowledge>(
        [this](std::string_view name) { return rules->KnowledgeText(name); });
  }

  Findings& Diagnose(const std::string& log, std::optional<int> exit_status = std::nullopt,
                     std::vector<Fact> host = {}) {
    findings = std::make_unique<Findings>();
    trace.clear();
    if (rules == nullptr) return *findings;
    host_facts = std::move(host);
    const std::vector<bool> opens(rules->patterns().size(), true);
    LogScanner scanner(rules->matcher(), opens);
    EXPECT_TRUE(scanner.Feed(log).ok());
    absl::StatusOr<std::vector<Match>> found = scanner.Finish();
    EXPECT_TRUE(found.ok()) << found.status();
    matches = found.ok() ? *std::move(found) : std::vector<Match>{};
    const DiagnoseInput input{
        *rules, *knowledge, matches, host_facts, static_cast<int>(scanner.lines()), exit_status};
    const absl::Status status = cudadoctor::Diagnose(
        input, [this](const std::string& line) { trace.push_back(line); }, *findings);
    EXPECT_TRUE(status.ok()) << status;
    return *findings;
  }

  // "outcome: cause(role, confidence)@line u1,2; …", the whole answer on one line.
  std::string Answer(const std::string& log, std::optional<int> exit_status = std::nullopt) {
    const Findings& found = Diagnose(log, exit_status);
    static constexpr const char* kOutcomes[] = {"failed", "succeeded", "undetermined"};
    static constexpr const char* kRoles[] = {"root", "contributing", "latent"};
    static constexpr const char* kConfidences[] = {"possible", "likely", "certain"};
    std::string text = kOutcomes[static_cast<int>(found.outcome)];
    for (const Finding& finding : found.findings) {
      const Diagnosis& diagnosis = finding.diagnosis;
      text += std::string(&finding == &found.findings.front() ? ": " : "; ") + diagnosis.cause +
              "(" + kRoles[static_cast<int>(diagnosis.role)] + ", " +
              kConfidences[static_cast<int>(diagnosis.confidence)] + ")";
      if (!diagnosis.evidence.empty())
        text += "@" + std::to_string(diagnosis.evidence.front().line);
      for (size_t i = 0; i < diagnosis.units.size(); ++i)
        text += (i == 0 ? " u" : ",") + std::to_string(diagnosis.units[i]);
    }
    return text;
  }

  std::unique_ptr<RuleSet> rules;
  std::unique_ptr<Knowledge> knowledge;
  std::vector<Match> matches;
  std::vector<Fact> host_facts;
  std::unique_ptr<Findings> findings;
  std::vector<std::string> trace;
};

}  // namespace cudadoctor

#endif  // CUDADOCTOR_TESTS_DIAGNOSE_SMALL_RULES_H_

// rules/rule_files_for_test.h: one rule file of each kind.
#ifndef CUDADOCTOR_TESTS_RULES_RULE_FILES_FOR_TEST_H_
#define CUDADOCTOR_TESTS_RULES_RULE_FILES_FOR_TEST_H_

namespace cudadoctor {

inline constexpr char kCauseText[] = R"({
  "id": "my-cause", "group": "host", "status": "stable", "retry": "runner", "title": ["one {version}", "two"], "explanation": "why",
  "signatures": [
    {"name": "first", "confidence": "certain", "title": "special",
     "all": [{"name": "a", "pattern": ["frobnication of (?P<v>\\S+) failed", "frobnicator (?P<v>\\S+) is broken"]}, {"name": "b", "pattern": "\\d+", "within": 3}],
     "none": [{"name": "c", "pattern": "frobnication was skipped", "nearby": true}],
     "where": [{"fact": "version", "op": ">=", "value": "12.0", "by": "major"}, {"any": [{"fact": "rocm", "absent": true}, {"not": {"lookup": "min-toolkit", "with": ["version", "'x'"], "is": "12.8"}}]}]},
    {"name": "second", "confidence": "possible", "role": "latent", "all": [{"name": "d", "pattern": "frobnication is slow", "sets": {"isolated_build": "yes"}}]}],
  "captures": {"v": {"type": "version", "fact": "version"}},
  "explains": ["my-symptom"], "yields_to": ["other-cause"],
  "remedies": [{"id": "fix", "title": "fix it", "needs": ["root"], "why": "because", "cost": "time", "when": [{"fact": "version"}],
                "steps": [{"run": "fix {version}", "note": ["n {version}", "n"]}, {"rerun": {"env": {"A": "1"}, "add": ["-v"], "drop": ["-q"]}, "when": [{"fact": "tool", "is": ["pip", "uv"]}]}],
                "check": {"run": "x", "says": "y"}},
               {"use": "my-remedy", "with": {"version": "{version}"}}],
  "avoid": ["plain", ["a {version}", "b"]], "references": [{"url": "https://x", "says": "s"}],
  "examples": [{"name": "e", "line": 1, "facts": {"version": "12.8"}, "log": ["frobnication of 12.8 failed", "7"]}],
  "counter_examples": [{"name": "ce", "log": ["x"]}]
})";
inline constexpr char kSymptomText[] =
    R"({"id": "my-symptom", "kind": "failure", "patterns": [{"name": "s", "pattern": "everything stopped"}], "examples": [], "counter_examples": []})";
inline constexpr char kFactsText[] =
    R"x({"id": "my-facts", "facts": true, "patterns": [{"name": "f", "pattern": "frobnicator (?P<version>\\S+)"}], "captures": {"version": {"type": "version"}},
        "derived": [{"fact": "required_version", "type": "version", "lookup": "min-toolkit", "with": ["arch"]}]})x";
inline constexpr char kUnitText[] =
    R"({"id": "my-unit", "unit": "ci-step", "begin": [{"name": "b", "pattern": "beginning of a step"}], "success": [{"name": "ok", "pattern": "everything succeeded"}]})";
inline constexpr char kRemedyText[] =
    R"({"id": "my-remedy", "remedy": true, "parameters": ["version"], "title": "shared", "variants": [{"when": [{"fact": "docker"}], "title": "inside", "steps": [{"run": "x {version}"}]}, {"steps": [{"note": "y"}]}]})";

}  // namespace cudadoctor

#endif  // CUDADOCTOR_TESTS_RULES_RULE_FILES_FOR_TEST_H_

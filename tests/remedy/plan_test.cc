#include "remedy/plan.h"

#include <string>
#include <vector>

#include "diagnose/small_rules.h"
#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

// What the log states: "FACTS command=<...> tool=uv package=foo …".
SourceFile Facts() {
  return {"facts/stated.toml", R"({"id": "stated", "facts": true,
    "patterns": [{"name": "command", "pattern": "^COMMAND (?P<command>.+)$", "nearby": true}, {"name": "package", "pattern": "^PACKAGE (?P<package>\\S+)$", "nearby": true},
                 {"name": "version", "pattern": "^VERSION (?P<package_version>\\S+)$", "nearby": true}, {"name": "tool", "pattern": "^TOOL (?P<tool>\\S+)$", "nearby": true},
                 {"name": "index", "pattern": "^INDEX (?P<index_package>\\S+)$", "nearby": true}, {"name": "isolation", "pattern": "^NOISOLATION$", "nearby": true, "sets": {"no_build_isolation": "yes"}},
                 {"name": "archs", "pattern": "^ARCHS (?P<arch_list>.+)$", "nearby": true},
                 {"name": "path", "pattern": "^TOOLKIT (?P<toolkit_path>.+)$", "nearby": true}, {"name": "text", "pattern": "^TEXT (?P<remark>.+)$", "nearby": true}],
    "captures": {"command": {"type": "command"}, "package": {"type": "package"}, "index_package": {"type": "package"}, "package_version": {"type": "version"}, "tool": {"type": "word"}, "arch_list": {"type": "arch-list"},
                 "toolkit_path": {"type": "path"}, "remark": {"type": "text"}}})"};
}

SourceFile Shared() {
  return {
      "remedies/shared.toml",
      R"({"id": "shared", "remedy": true, "parameters": ["version", "url"], "title": "shared title {version}", "variants": [
    {"when": "tool == 'uv'", "needs": ["network"], "steps": [{"run": "uv tool install x=={version}"}]},
    {"title": "other title", "steps": [{"run": "install x={version}[[ from {url}]]"}], "check": {"run": "x --version", "says": "{version}"}}]})"};
}

std::string Describe(const Diagnosis& diagnosis) {
  std::string text = diagnosis.title;
  for (const Remedy& remedy : diagnosis.remedies) {
    text += "\n" + std::string(remedy.preferred ? "fix " : "or ") + remedy.id + ": " + remedy.title;
    if (!remedy.cost.empty()) text += "; costs " + remedy.cost;
    for (const Step& step : remedy.steps) {
      if (!step.run.empty()) text += "\n  $ " + step.run;
      if (!step.note.empty()) text += "\n  # " + step.note;
    }
    for (const auto& [name, value] : remedy.env) text += "\n  env " + name + "=" + value;
    if (remedy.check.has_value())
      text += "\n  check " + remedy.check->run + " says " + remedy.check->says;
  }
  for (const std::string& avoid : diagnosis.avoid) text += "\nnot " + avoid;
  return text;
}

// The plan for a log in which cause-a happened.
std::string Plan(const std::string& remedies, const std::string& facts) {
  SmallRules rules({Facts(), Shared(), CauseFile("cause-a", "CAUSE-A happened", remedies)});
  Findings& found = rules.Diagnose(facts + "CAUSE-A happened\n");
  EXPECT_EQ(found.findings.size(), 1u);
  if (found.findings.empty()) return "";
  const absl::Status status = PlanRemedies(*rules.rules, found.findings[0]);
  EXPECT_TRUE(status.ok()) << status;
  return Describe(found.findings[0].diagnosis);
}

TEST(PlanRemediesTest, SaysWhetherOnlyVariablesChange) {
  const struct {
    const char* name;
    const char* steps;
    bool is_only_env;
  } rows[] = {
      {"variables", R"([{"rerun": {"env": {"MAX_JOBS": "4"}}}])", true},
      {"with a note", R"([{"note": "x"}, {"rerun": {"env": {"MAX_JOBS": "4"}}}])", true},
      {"a command before", R"([{"run": "x"}, {"rerun": {"env": {"MAX_JOBS": "4"}}}])", false},
      {"a word more", R"([{"rerun": {"env": {"MAX_JOBS": "4"}, "add": ["--no-build-isolation"]}}])",
       false},
      {"a word less", R"([{"rerun": {"env": {"MAX_JOBS": "4"}, "drop": ["--frozen"]}}])", false},
      {"nothing changes", R"([{"rerun": {}}])", false},
  };
  for (const auto& row : rows) {
    SmallRules rules(
        {Facts(), CauseFile("cause-a", "CAUSE-A happened",
                            std::string(R"("remedies": [{"id": "r", "title": "t", "steps": )") +
                                row.steps + "}]")});
    Findings& found = rules.Diagnose("COMMAND pip install foo\nCAUSE-A happened\n");
    ASSERT_EQ(found.findings.size(), 1u) << row.name;
    ASSERT_TRUE(PlanRemedies(*rules.rules, found.findings[0]).ok()) << row.name;
    ASSERT_EQ(found.findings[0].diagnosis.remedies.size(), 1u) << row.name;
    EXPECT_EQ(found.findings[0].diagnosis.remedies[0].is_only_env, row.is_only_env) << row.name;
  }
}

TEST(PlanRemediesTest, ParametersAreFactsWithinASharedRemedy) {
  const SourceFile shared = {
      "remedies/shared.toml",
      R"({"id": "shared", "remedy": true, "parameters": ["version"], "title": "install {version}", "variants": [
    {"title": "there is {version}", "when": "version >= '12'", "steps": [{"run": "use {version}"}]},
    {"steps": [{"run": "install {version}", "when": "version in ['11.8']"}, {"note": "old"}]}]})"};
  const auto plan = [&](const std::string& version) {
    SmallRules rules(
        {Facts(), shared,
         CauseFile(
             "cause-a", "CAUSE-A happened",
             R"("remedies": [{"use": "shared", "with": {"version": "{package_version}"}, "title": "of the cause"}])")});
    Findings& found = rules.Diagnose("VERSION " + version + "\nCAUSE-A happened\n");
    EXPECT_TRUE(PlanRemedies(*rules.rules, found.findings[0]).ok());
    return Describe(found.findings[0].diagnosis);
  };
  EXPECT_EQ(plan("12.8"), "title of cause-a\nfix shared: there is 12.8\n  $ use 12.8");
  EXPECT_EQ(plan("11.8"), "title of cause-a\nfix shared: of the cause\n  $ install 11.8\n  # old");
  EXPECT_EQ(plan("11.7"), "title of cause-a\nfix shared: of the cause\n  # old");
}

TEST(PlanRemediesTest, FillsStepsOrLeavesThemOut) {
  const std::string remedies = R"("avoid": ["plain", ["{package} again", "it again"]], "remedies": [
    {"id": "one", "title": ["update {package}", "update it"], "cost": "an hour", "steps": [
      {"run": "update {package}"}, {"run": "only --uv", "when": "tool == 'uv'"}, {"note": "a note"}], "check": {"run": "show {package}", "says": "new"}},
    {"id": "two", "title": "for uv", "when": "tool == 'uv'", "steps": [{"run": "two"}]},
    {"id": "three", "title": "needs a version", "steps": [{"run": "three {package_version}"}]}])";
  struct Row {
    const char* name;
    const char* facts;
    const char* expected;
  };
  const Row rows[] = {
      {"nothing known", "",
       "title of cause-a\nfix one: update it; costs an hour\n  # a note\nnot plain\nnot it again"},
      {"the package", "PACKAGE foo\n",
       "title of cause-a\nfix one: update foo; costs an hour\n  $ update foo\n  # a note\n  check "
       "show foo says new\nnot plain\nnot foo again"},
      {"all", "PACKAGE foo\nVERSION 1.2\nTOOL uv\n",
       "title of cause-a\nfix one: update foo; costs an hour\n  $ update foo\n  $ only --uv\n  # a "
       "note\n  check show foo says new\nor two: for uv\n  $ two\n"
       "or three: needs a version\n  $ three 1.2\nnot plain\nnot foo again"},
  };
  for (const Row& row : rows) EXPECT_EQ(Plan(remedies, row.facts), row.expected) << row.name;
}

TEST(PlanRemediesTest, RepeatsTheUsersCommandWithChanges) {
  const std::string remedies = R"("remedies": [{"id": "again", "title": "again", "steps": [
    {"rerun": {"env": {"MAX_JOBS": "4", "CUDA_HOME": "{toolkit_path}", "PATH": "{toolkit_path}/bin:$PATH", "ARCHS": "{arch_list}"}, "add": ["--no-build-isolation"], "drop": ["--frozen"]}}]}])";
  struct Row {
    const char* name;
    const char* facts;
    const char* expected;
  };
  const Row rows[] = {
      {"its own command", "COMMAND uv pip install foo --frozen\n",
       "title of cause-a\nfix again: again\n  $ MAX_JOBS=4 uv pip install foo "
       "--no-build-isolation\n  env MAX_JOBS=4"},
      {"what it has already",
       "COMMAND MAX_JOBS=128 pip install foo --no-build-isolation 2>&1 | tail\n",
       "title of cause-a\nfix again: again\n  $ MAX_JOBS=4 pip install foo --no-build-isolation\n  "
       "env MAX_JOBS=4"},
      {"values are quoted once", "COMMAND pip install foo\nTOOLKIT /opt/my cuda\nARCHS 8.0 9.0\n",
       "title of cause-a\nfix again: again\n  $ MAX_JOBS=4 CUDA_HOME='/opt/my cuda' PATH='/opt/my "
       "cuda/bin:'$PATH ARCHS='8.0;9.0' pip install foo --no-build-isolation\n"
       "  env MAX_JOBS=4\n  env CUDA_HOME=/opt/my cuda\n  env PATH=/opt/my cuda/bin:$PATH\n  env "
       "ARCHS=8.0;9.0"},
      {"a command from tool and package",
       "TOOL uv\nPACKAGE foo\nINDEX foo\nVERSION 1.2\nNOISOLATION\n",
       "title of cause-a\nfix again: again\n  $ MAX_JOBS=4 uv pip install foo==1.2 "
       "--no-build-isolation\n  env MAX_JOBS=4"},
      {"a command that may not be repeated",
       "COMMAND pip install foo; rm -rf ~\nTOOL pip\nPACKAGE foo\n",
       "title of cause-a\nfix again: again\n  $ export MAX_JOBS=4\n  # then your command again, "
       "with "
       "--no-build-isolation, without --frozen\n  env MAX_JOBS=4"},
      {"a package that nobody asked an index for", "TOOL pip\nPACKAGE foo\n",
       "title of cause-a\nfix again: again\n  $ export MAX_JOBS=4\n  # then your command again, "
       "with "
       "--no-build-isolation, without --frozen\n  env MAX_JOBS=4"},
      {"no command", "",
       "title of cause-a\nfix again: again\n  $ export MAX_JOBS=4\n  # then your command again, "
       "with "
       "--no-build-isolation, without --frozen\n  env MAX_JOBS=4"},
  };
  for (const Row& row : rows) EXPECT_EQ(Plan(remedies, row.facts), row.expected) << row.name;
}

TEST(PlanRemediesTest, ARerunAloneIsNoRemedyWhereItsCommandIsLost) {
  const std::string remedies =
      R"("remedies": [{"id": "install", "title": "install", "steps": [{"run": "install {package_version}"}, {"rerun": {"env": {"A": "1"}}}]},
                                               {"id": "nothing-to-change", "title": "n", "steps": [{"rerun": {"env": {"A": "{package_version}"}}, "note": "why"}]}])";
  EXPECT_EQ(Plan(remedies, "COMMAND pip install foo\n"), "title of cause-a");
  EXPECT_EQ(Plan(remedies, "COMMAND pip install foo\nVERSION 1\n"),
            "title of cause-a\nfix install: install\n  $ install 1\n  $ A=1 pip install foo\n  env "
            "A=1\nor nothing-to-change: n\n  $ A=1 pip install foo\n  # why\n  env A=1");
}

TEST(PlanRemediesTest, SharedRemediesWithTheirParameters) {
  const std::string remedies =
      R"("remedies": [{"use": "shared", "with": {"version": "{package_version}"}, "cost": "time"},
                                               {"use": "shared", "with": {"version": "{package_version}", "url": "https://x/{package_version|dash}/"}, "title": "mine", "id": "second"}])";
  EXPECT_EQ(Plan(remedies, "VERSION 1.2\n"),
            "title of cause-a\nfix shared: other title; costs time\n  $ install x=1.2\n  check x "
            "--version says 1.2\nor second: other title\n  $ install x=1.2 from https://x/1-2/\n  "
            "check x "
            "--version says 1.2");
  EXPECT_EQ(Plan(remedies, "VERSION 1.2\nTOOL uv\n"),
            "title of cause-a\nfix shared: shared title 1.2; costs time\n  $ uv tool install "
            "x==1.2\nor second: mine\n  $ uv tool install x==1.2");
  EXPECT_EQ(Plan(remedies, ""), "title of cause-a");
}

TEST(PlanRemediesTest, ATextNeverEntersACommand) {
  const std::string remedies =
      R"("remedies": [{"id": "a", "title": "about {remark}", "steps": [{"run": "echo {remark}"}, {"note": "it says {remark}"}, {"rerun": {"env": {"A": "{remark}"}, "add": ["{remark}"]}}]}])";
  EXPECT_EQ(Plan(remedies, "TEXT $(id); rm -rf ~\nCOMMAND pip install foo\n"),
            "title of cause-a\nfix a: about $(id); rm -rf ~\n  # it says $(id); rm -rf ~");
}

TEST(PlanRemediesTest, AtMostFourRemedies) {
  std::string remedies = R"("remedies": [)";
  for (int i = 0; i < 6; ++i)
    remedies += std::string(i == 0 ? "" : ", ") + R"({"id": "r)" + std::to_string(i) +
                R"(", "title": "t", "steps": [{"run": "x"}]})";
  const std::string plan = Plan(remedies + "]", "");
  EXPECT_NE(plan.find("r3"), std::string::npos);
  EXPECT_EQ(plan.find("r4"), std::string::npos);
}

TEST(PlanRemediesTest, UnknownFailures) {
  SmallRules rules(
      {Facts(),
       SymptomFile("wheel-failed", "^WHEELFAILED$"),
       {"remedies/unknown-failure.toml",
        R"({"id": "unknown-failure", "remedy": true, "parameters": [], "title": "get the log", "variants": [{"steps": [{"note": "the whole log"}]}]})"}});
  Findings& found = rules.Diagnose("x\nWHEELFAILED\n");
  ASSERT_EQ(found.findings.size(), 1u);
  ASSERT_TRUE(PlanRemedies(*rules.rules, found.findings[0]).ok());
  EXPECT_EQ(Describe(found.findings[0].diagnosis),
            "no known cause; the first error is at line 2\nfix unknown-failure: get the log\n  # "
            "the whole log");
}

}  // namespace
}  // namespace cudadoctor

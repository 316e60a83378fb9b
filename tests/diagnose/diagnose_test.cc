#include "diagnose/diagnose.h"

#include <algorithm>
#include <string>
#include <vector>

#include "diagnose/small_rules.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

std::vector<SourceFile> Files(std::vector<SourceFile> more) {
  std::vector<SourceFile> files = UnitFiles();
  files.push_back(SymptomFile("wheel-failed", "^WHEELFAILED(?: of (?P<package>\\\\S+))?$",
                              "failure", R"("captures": {"package": {"type": "package"}})"));
  files.push_back(SymptomFile("tool-error", "^TOOLERROR: .+$", "error"));
  files.push_back(
      {"facts/clipped.toml",
       R"({"id": "clipped", "facts": true, "patterns": [{"name": "clipped", "pattern": "OUTPUTCLIPPED", "sets": {"clipped": "yes"}}]})"});
  files.insert(files.end(), more.begin(), more.end());
  return files;
}

struct Row {
  const char* name;
  const char* log;
  const char* answer;
};

void Check(SmallRules& rules, std::initializer_list<Row> rows) {
  for (const Row& row : rows)
    EXPECT_EQ(rules.Answer(row.log), row.answer) << row.name << ":\n" << row.log;
}

TEST(DiagnoseTest, OneUnit) {
  SmallRules rules(
      Files({CauseFile("cause-a", "CAUSE-A happened", R"("explains": ["wheel-failed"])")}));
  Check(rules,
        {
            {"empty", "", "undetermined"},
            {"nothing known", "all\nis\nwell\n", "undetermined"},
            {"success", "x\nSUCCEEDED\n", "succeeded"},
            {"a cause", "x\nCAUSE-A happened\n", "failed: cause-a(root, certain)@2 u1"},
            {"a cause and its symptom", "CAUSE-A happened\nWHEELFAILED\n",
             "failed: cause-a(root, certain)@1 u1"},
            {"a failure without a cause", "TOOLERROR: one\nTOOLERROR: two\nWHEELFAILED\n",
             "failed: unknown(root, possible)@1 u1"},
            {"a failure without an error", "x\nWHEELFAILED\n",
             "failed: unknown(root, possible)@2 u1"},
            {"an error alone", "TOOLERROR: one\nx\n", "failed: unknown(root, possible)@1 u1"},
            {"an error before success", "TOOLERROR: one\nSUCCEEDED\n", "succeeded"},
            {"a cause before success", "CAUSE-A happened\nSUCCEEDED\n", "succeeded"},
            {"a retry that succeeds", "CAUSE-A happened\nWHEELFAILED\nSUCCEEDED\n", "succeeded"},
            {"a success before the failure", "SUCCEEDED\nCAUSE-A happened\nWHEELFAILED\n",
             "failed: cause-a(root, certain)@2 u1"},
            {"another package's success",
             "CAUSE-A happened\nWHEELFAILED of foo\nSUCCEEDED with bar\n",
             "failed: cause-a(root, certain)@1 u1"},
            {"its own package's success",
             "CAUSE-A happened\nWHEELFAILED of foo_x\nSUCCEEDED with Foo-X 1.0\n", "succeeded"},
            {"the same cause twice is one", "CAUSE-A happened\nx\nCAUSE-A happened\n",
             "failed: cause-a(root, certain)@1 u1"},
            {"clipped: never certain", "OUTPUTCLIPPED\nCAUSE-A happened\n",
             "failed: cause-a(root, likely)@2 u1"},
        });
}

TEST(DiagnoseTest, TheExitStatusDecidesWhenTheLogDoesNot) {
  SmallRules rules(Files({CauseFile("cause-a", "CAUSE-A happened")}));
  EXPECT_EQ(rules.Answer("x\n", 0), "succeeded");
  EXPECT_EQ(rules.Answer("x\n", 1), "failed: unknown(root, possible) u1");
  EXPECT_EQ(rules.Answer("SUCCEEDED\n", 2), "failed: unknown(root, possible) u1");
  EXPECT_EQ(rules.Answer("CAUSE-A happened\n", 1), "failed: cause-a(root, certain)@1 u1");
}

TEST(DiagnoseTest, TheRootIsWhatNoOtherExplains) {
  SmallRules rules(
      Files({CauseFile("cause-a", "CAUSE-A happened", R"("explains": ["cause-b"])"),
             CauseFile("cause-b", "CAUSE-B happened", R"("explains": ["cause-c"])"),
             CauseFile("cause-c", "CAUSE-C happened"),
             CauseFile("cause-d", "CAUSE-D happened", R"("yields_to": ["cause-c"])")}));
  Check(rules, {
                   {"the explaining one, though it comes later",
                    "CAUSE-B happened\nCAUSE-A happened\n", "failed: cause-a(root, certain)@2 u1"},
                   {"a chain", "CAUSE-C happened\nCAUSE-B happened\nCAUSE-A happened\n",
                    "failed: cause-a(root, certain)@3 u1"},
                   {"yields", "CAUSE-D happened\nCAUSE-C happened\n",
                    "failed: cause-c(root, certain)@2 u1"},
                   {"yields only to what is there", "CAUSE-D happened\n",
                    "failed: cause-d(root, certain)@1 u1"},
                   {"unrelated: the first", "CAUSE-C happened\nCAUSE-A happened\n",
                    "failed: cause-c(root, certain)@1 u1"},
               });
  EXPECT_THAT(rules.trace, Contains(HasSubstr("cause-c by only at line 1 in unit 1: won")));
  EXPECT_THAT(rules.trace,
              Contains(HasSubstr("cause-a by only at line 2 in unit 1: lost to cause-c")));
}

SourceFile Likely(const std::string& id, const std::string& pattern, const std::string& confidence,
                  const std::string& role = "root", const std::string& status = "stable") {
  SourceFile file = CauseFile(id, pattern);
  const auto replace = [&file](const std::string& from, const std::string& to) {
    file.text.replace(file.text.find(from), from.size(), to);
  };
  replace(R"("confidence": "certain")",
          R"("confidence": ")" + confidence + R"(", "role": ")" + role + R"(")");
  replace(R"("status": "stable")", R"("status": ")" + status + R"(")");
  return file;
}

TEST(DiagnoseTest, RolesAndConfidence) {
  SmallRules rules(
      Files({CauseFile("certain-cause", "CERTAIN thing"),
             Likely("likely-cause", "LIKELY thing", "likely"),
             Likely("draft-cause", "DRAFTED thing", "certain", "root", "draft"),
             Likely("latent-cause", "LATENT thing", "likely", "latent"),
             Likely("contributing-cause", "CONTRIBUTING thing", "possible", "contributing")}));
  Check(
      rules,
      {
          {"the more certain one", "LIKELY thing\nCERTAIN thing\n",
           "failed: certain-cause(root, certain)@2 u1"},
          {"a draft is never certain", "DRAFTED thing\n", "failed: draft-cause(root, likely)@1 u1"},
          {"latent is no failure", "LATENT thing\nSUCCEEDED\n",
           "succeeded: latent-cause(latent, likely)@1 u1"},
          {"latent beside a root", "LATENT thing\nCERTAIN thing\n",
           "failed: certain-cause(root, certain)@2 u1; latent-cause(latent, likely)@1 u1"},
          {"contributing needs a failure", "CONTRIBUTING thing\nSUCCEEDED\n", "succeeded"},
          {"contributing alone", "CONTRIBUTING thing\n", "undetermined"},
          {"contributing beside a root", "CERTAIN thing\nCONTRIBUTING thing\n",
           "failed: certain-cause(root, certain)@1 u1; contributing-cause(contributing, "
           "possible)@2 u1"},
          {"contributing beside unknown", "CONTRIBUTING thing\nWHEELFAILED\n",
           "failed: unknown(root, possible)@2 u1; contributing-cause(contributing, possible)@1 u1"},
      });
}

TEST(DiagnoseTest, WhatMayHoldSpeaksLast) {
  SourceFile open = CauseFile("open-cause", "OPEN thing", R"("explains": ["sure-cause"])");
  const std::string all = R"("all": [)";
  const size_t at = open.text.find(all);
  ASSERT_NE(at, std::string::npos);
  open.text.insert(at, R"x("where": "toolkit_cuda >= '13'", )x");
  SmallRules rules(Files({open, CauseFile("sure-cause", "SURE thing")}));
  Check(rules, {
                   {"where something failed", "OPEN thing\nWHEELFAILED\n",
                    "failed: open-cause(root, possible)@1 u1"},
                   {"it makes no failure", "OPEN thing\n", "undetermined"},
                   {"nor one of a success", "OPEN thing\nSUCCEEDED\n", "succeeded"},
                   {"it explains nothing that holds", "OPEN thing\nSURE thing\nWHEELFAILED\n",
                    "failed: sure-cause(root, certain)@2 u1"},
               });
  EXPECT_EQ(rules.Answer("OPEN thing\n", 1), "failed: open-cause(root, possible)@1 u1");
}

TEST(DiagnoseTest, SeveralUnits) {
  SmallRules rules(
      Files({CauseFile("cause-a", "CAUSE-A happened"), CauseFile("cause-b", "CAUSE-B happened")}));
  Check(rules, {
                   {"each failing unit has its root, that which ended the log first",
                    "BEGINSTEP one\nCAUSE-A happened\nBEGINSTEP two\nCAUSE-B happened\n",
                    "failed: cause-b(root, certain)@4 u3; cause-a(root, certain)@2 u2"},
                   {"one diagnosis for a cause of two units",
                    "BEGINSTEP one\nCAUSE-A happened\nBEGINSTEP two\nCAUSE-A happened\n",
                    "failed: cause-a(root, certain)@4 u2,3"},
                   {"retried under the same name",
                    "BEGINSTEP one\nCAUSE-A happened\nWHEELFAILED\nBEGINSTEP one\nSUCCEEDED\n",
                    "succeeded"},
                   {"the package's later success",
                    "BEGINSTEP one\nCAUSE-A happened\nWHEELFAILED of foo\nBEGINSTEP two\nSUCCEEDED "
                    "with foo\n",
                    "succeeded"},
                   {"another step's success does not help",
                    "BEGINSTEP one\nCAUSE-A happened\nWHEELFAILED\nBEGINSTEP two\nSUCCEEDED\n",
                    "failed: cause-a(root, certain)@2 u2"},
                   {"an earlier success does not help",
                    "BEGINSTEP one\nSUCCEEDED\nBEGINSTEP one\nCAUSE-A happened\n",
                    "failed: cause-a(root, certain)@4 u3"},
                   {"before the first step", "CAUSE-A happened\nBEGINSTEP one\nSUCCEEDED\n",
                    "failed: cause-a(root, certain)@1 u1"},
               });
}

TEST(DiagnoseTest, BuildKitsStepsAreToldApartByTheirNumber) {
  SmallRules rules(
      Files({CauseFile("cause-a", "CAUSE-A happened"), CauseFile("cause-b", "CAUSE-B happened")}));
  rules.Diagnose(
      "#7 [build 1/2] EXECUTE pip\n"
      "#8 [test 1/2] EXECUTE make\n"
      "#7 1.0 CAUSE-A happened\n"
      "#8 1.0 SUCCEEDED\n"
      "#7 2.0 WHEELFAILED\n");
  ASSERT_EQ(rules.findings->findings.size(), 1u);
  EXPECT_EQ(rules.findings->findings[0].diagnosis.cause, "cause-a");
  EXPECT_EQ(rules.findings->findings[0].diagnosis.symptoms.size(), 1u);
  EXPECT_EQ(rules.findings->outcome, Outcome::kFailed);
}

TEST(DiagnoseTest, SymptomsAreListedOnceEach) {
  SmallRules rules(Files({CauseFile("cause-a", "CAUSE-A happened")}));
  const Findings& found =
      rules.Diagnose("CAUSE-A happened\nWHEELFAILED of foo\nWHEELFAILED of foo\n");
  ASSERT_EQ(found.findings.size(), 1u);
  const Diagnosis& diagnosis = found.findings[0].diagnosis;
  ASSERT_EQ(diagnosis.symptoms.size(), 1u);
  EXPECT_EQ(diagnosis.symptoms[0].id, "wheel-failed");
  EXPECT_EQ(diagnosis.symptoms[0].line, 2);
  EXPECT_EQ(diagnosis.symptoms[0].text, "WHEELFAILED of foo");
  EXPECT_EQ(diagnosis.package, "foo");
  EXPECT_EQ(diagnosis.retry, "environment");
  EXPECT_EQ(diagnosis.explanation, "why cause-a");
  EXPECT_EQ(diagnosis.group, "test");
}

TEST(DiagnoseTest, TheFingerprintTellsCausesApartAndNothingElse) {
  const std::string captures =
      R"("captures": {"version": {"type": "version"}, "path": {"type": "path"}, )"
      R"("module": {"type": "module"}})";
  SmallRules rules(
      Files({CauseFile("cause-a",
                       "CAUSE-A (?P<version>\\\\S+) in (?P<path>\\\\S+)(?: of (?P<module>\\\\S+))?",
                       captures),
             CauseFile("cause-b", "CAUSE-B happened")}));
  const auto fingerprint = [&](const std::string& log) {
    const Findings& found = rules.Diagnose(log);
    EXPECT_EQ(found.findings.size(), 1u) << log;
    return found.findings.empty() ? "" : found.findings[0].diagnosis.fingerprint;
  };
  const std::string first = fingerprint("CAUSE-A 12.8 in /home/a\n");
  EXPECT_EQ(first.size(), 16u);
  EXPECT_EQ(first.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_EQ(fingerprint("x\nx\nCAUSE-A 12.8 in /home/b\n"), first) << "another line and folder";
  EXPECT_EQ(fingerprint("CAUSE-A 13.0 in /home/a\n"), first) << "another job of a matrix";
  EXPECT_NE(fingerprint("CAUSE-A 12.8 in /home/a of torch\n"), first) << "another module";
  EXPECT_NE(fingerprint("CAUSE-A 12.8 in /home/a\nWHEELFAILED of foo\n"), first)
      << "another package";
  EXPECT_NE(fingerprint("CAUSE-B happened\n"), first) << "another cause";
}

TEST(DiagnoseTest, KeepsFactsOfTheLogAndOfTheHost) {
  SmallRules rules(Files({}));
  const Findings& found =
      rules.Diagnose("x\nWHEELFAILED of foo\n", std::nullopt,
                     {{"torch_cuda", ValueType::kVersion, "12.8", Origin::kHost, 0, 0}});
  const auto find = [&](const std::string& name) {
    return std::find_if(found.facts.facts().begin(), found.facts.facts().end(),
                        [&](const Fact& fact) { return fact.name == name; });
  };
  ASSERT_NE(find("package"), found.facts.facts().end());
  EXPECT_EQ(find("package")->line, 2);
  EXPECT_EQ(find("package")->unit, 1);
  ASSERT_NE(find("torch_cuda"), found.facts.facts().end());
  EXPECT_EQ(find("torch_cuda")->origin, Origin::kHost);
}

}  // namespace
}  // namespace cudadoctor

#include "report/names.h"

#include <string>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

TEST(NameTest, NamesEveryValue) {
  EXPECT_STREQ(Name(Outcome::kFailed), "failed");
  EXPECT_STREQ(Name(Outcome::kSucceeded), "succeeded");
  EXPECT_STREQ(Name(Outcome::kUndetermined), "undetermined");
  EXPECT_STREQ(Name(Role::kRoot), "root");
  EXPECT_STREQ(Name(Role::kContributing), "contributing");
  EXPECT_STREQ(Name(Role::kLatent), "latent");
  EXPECT_STREQ(Name(Confidence::kCertain), "certain");
  EXPECT_STREQ(Name(Confidence::kLikely), "likely");
  EXPECT_STREQ(Name(Confidence::kPossible), "possible");
  EXPECT_STREQ(Name(Origin::kLog), "log");
  EXPECT_STREQ(Name(Origin::kHost), "host");
}

TEST(NoDiagnosisTest, SaysWhy) {
  Report report;
  EXPECT_STREQ(NoDiagnosis(report), "the log is empty: nothing to diagnose");
  report.input.lines = 1;
  EXPECT_STREQ(NoDiagnosis(report), "no failure found; the log does not show how it ended");
  report.outcome = Outcome::kSucceeded;
  EXPECT_STREQ(NoDiagnosis(report), "no failure: this log ends in success");
}

TEST(HeadlineTest, SaysWhatHappened) {
  struct Row {
    const char* name;
    const char* unit;
    const char* group;
    bool is_at_run_time;
    Role role;
    const char* package;
    const char* version;
    const char* expected;
  };
  const Row rows[] = {
      {"a build", "package-build", "toolkit", false, Role::kRoot, "flash-attn", "2.8.3",
       "flash-attn 2.8.3 did not build"},
      {"no version", "package-build", "toolkit", false, Role::kRoot, "flash-attn", "",
       "flash-attn did not build"},
      {"no package", "package-build", "toolkit", false, Role::kRoot, "", "", "the build failed"},
      {"no build either", "command", "host", false, Role::kRoot, "", "", "it failed"},
      {"at run time", "command", "runtime", true, Role::kRoot, "vllm", "0.9",
       "vllm 0.9 does not run"},
      {"a driver", "command", "toolkit", true, Role::kRoot, "", "", "it does not run"},
      {"latent", "package-build", "toolkit", false, Role::kLatent, "flash-attn", "",
       "flash-attn was built, but there is something to know"},
      {"latent, no package", "command", "toolkit", false, Role::kLatent, "", "",
       "no failure, but something to know"},
  };
  for (const Row& row : rows) {
    Report report;
    report.units = {{1, row.unit, "", 1, 1, Outcome::kFailed}};
    Diagnosis diagnosis;
    diagnosis.group = row.group;
    diagnosis.is_at_run_time = row.is_at_run_time;
    diagnosis.role = row.role;
    diagnosis.package = row.package;
    diagnosis.package_version = row.version;
    EXPECT_EQ(Headline(report, diagnosis), row.expected) << row.name;
  }
}

TEST(HeadlineTest, BesideARootNothingWasBuilt) {
  Report report;
  report.diagnoses.resize(2);
  Diagnosis& latent = report.diagnoses[1];
  latent.role = Role::kLatent;
  EXPECT_EQ(Headline(report, latent), "also worth knowing");
  latent.package = "flash-attn";
  latent.package_version = "2.8.3";
  EXPECT_EQ(Headline(report, latent), "flash-attn 2.8.3: also worth knowing");
}

TEST(IsBesideRootTest, OnlyWhatIsNoRootItself) {
  const struct {
    Role first, second;
    bool expected;
  } rows[] = {
      {Role::kRoot, Role::kRoot, false},
      {Role::kRoot, Role::kContributing, true},
      {Role::kRoot, Role::kLatent, true},
      {Role::kLatent, Role::kLatent, false},
  };
  for (const auto& row : rows) {
    Report report;
    report.diagnoses.resize(2);
    report.diagnoses[0].role = row.first;
    report.diagnoses[1].role = row.second;
    EXPECT_FALSE(IsBesideRoot(report, report.diagnoses[0]));
    EXPECT_EQ(IsBesideRoot(report, report.diagnoses[1]), row.expected)
        << Name(row.first) << ", " << Name(row.second);
  }
}

TEST(CauseAndConfidenceTest, UnknownIsNotCertain) {
  Diagnosis diagnosis;
  diagnosis.cause = "disk-full";
  diagnosis.confidence = Confidence::kLikely;
  EXPECT_EQ(CauseAndConfidence(diagnosis), "disk-full, likely");
  diagnosis.cause = "unknown";
  EXPECT_EQ(CauseAndConfidence(diagnosis), "unknown");
}

TEST(TitleWithCostTest, IsOneLine) {
  Remedy remedy;
  remedy.title = "take\nanother torch";
  EXPECT_EQ(TitleWithCost(remedy), "take another torch");
  remedy.cost = "a 2 GB download";
  EXPECT_EQ(TitleWithCost(remedy), "take another torch; costs a 2 GB download");
}

TEST(LimitOfTest, OnlyOfALogThatWasCut) {
  Report report;
  report.input.limits = {"evidence-cut"};
  EXPECT_EQ(LimitOf(report), "");
  report.input.limits.emplace_back("clipped-upstream");
  EXPECT_EQ(LimitOf(report),
            "this log was cut before it got here; the full log may show another cause");
}

TEST(HeadingTest, SaysWhatFailedOrWhy) {
  Report report;
  Diagnosis diagnosis;
  diagnosis.title = "out of memory: cicc was killed";
  EXPECT_EQ(Heading(report, diagnosis), "out of memory: cicc was killed");
  diagnosis.package = "flash-attn";
  EXPECT_EQ(Heading(report, diagnosis), "flash-attn did not build");
}

}  // namespace
}  // namespace cudadoctor

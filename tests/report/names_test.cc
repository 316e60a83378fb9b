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

}  // namespace
}  // namespace cudadoctor

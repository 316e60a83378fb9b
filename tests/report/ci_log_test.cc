#include "report/ci_log.h"

#include "gtest/gtest.h"
#include "report/sample_report.h"

namespace cudadoctor {
namespace {

Diagnosis Of(Role role, const char* cause) {
  Diagnosis diagnosis = SampleReport().diagnoses[0];
  diagnosis.role = role;
  diagnosis.cause = cause;
  return diagnosis;
}

TEST(MarksTest, RootsOfAllReportsThenLatentOnes) {
  Report first = SampleReport();
  first.diagnoses = {Of(Role::kRoot, "a"), Of(Role::kContributing, "b"), Of(Role::kLatent, "c")};
  Report second = SampleReport();
  second.diagnoses = {Of(Role::kRoot, "d")};
  const Report reports[] = {first, Report(), second};
  std::string causes;
  for (const Mark& finding : Marks(reports)) causes += finding.diagnosis->cause;
  EXPECT_EQ(causes, "adc");
  EXPECT_EQ(FirstFailure(reports)->diagnosis->cause, "a");
  EXPECT_EQ(Header(reports), "PyTorch was built with CUDA 12.8, nvcc is CUDA 13.1, and 2 more");
}

TEST(MarksTest, WithoutAFailure) {
  Report latent = SampleReport();
  latent.diagnoses = {Of(Role::kLatent, "c")};
  const Report reports[] = {Report(), latent};
  EXPECT_EQ(Marks(reports).size(), 1u);
  EXPECT_FALSE(FirstFailure(reports).has_value());
  EXPECT_EQ(Header({reports, 1}), "");
  EXPECT_EQ(TextOfMarks({reports, 1}, {}), "");
}

TEST(TitleTest, IsOneLine) {
  Diagnosis diagnosis = SampleReport().diagnoses[0];
  diagnosis.title = "a\r\nb";
  EXPECT_EQ(TitleWithCause(diagnosis), "a  b (cuda-version-mismatch, certain)");
  diagnosis.cause = "unknown";
  EXPECT_EQ(TitleWithCause(diagnosis), "a  b");
}

TEST(PartNumberSignsTest, NoTwoStandTogether) {
  const struct {
    const char* text;
    const char* expected;
  } rows[] = {
      {"", ""},
      {"# a #1", "# a #1"},
      {"##[error]x", "# #[error]x"},
      {"a ##vso[task.x]", "a # #vso[task.x]"},
      {"####", "# # # #"},
      {"# # #", "# # #"},
  };
  for (const auto& row : rows) EXPECT_EQ(PartNumberSigns(row.text), row.expected) << row.text;
}

}  // namespace
}  // namespace cudadoctor

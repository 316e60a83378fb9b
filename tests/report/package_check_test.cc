#include "report/package_check.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "json/json.h"
#include "report/sample_report.h"

namespace cudadoctor {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

PackageCheck Sample() {
  PackageCheck check;
  check.requirement = "flash-attn==2.8.3";
  check.package = "flash-attn";
  check.version = "2.8.3";
  check.is_known = true;
  check.way = Way::kCompiled;
  check.way_says = "no prebuilt wheel fits: it is compiled here";
  check.command = "CUDA_HOME=/usr/local/cuda-12.8 MAX_JOBS=7 pip install flash-attn==2.8.3";
  check.command_why = "7 = 0.9 × 62 GiB free ÷ 8 GiB";
  check.unchecked = {"no fact tells the GPU: architectures not checked"};
  return check;
}

Diagnosis Cause(Role role) {
  Diagnosis diagnosis = SampleReport().diagnoses[0];
  diagnosis.role = role;
  diagnosis.evidence = {{0, 0, 0, "nvcc 13.1 in /usr/local/cuda", "toolkit_cuda"},
                        {0, 0, 0, "torch 2.8.0+cu128", "torch_version"}};
  diagnosis.symptoms.clear();
  diagnosis.units.clear();
  return diagnosis;
}

TEST(PackageCheckTest, TextOfACheckThatFindsNothing) {
  EXPECT_EQ(RenderCheckText(Sample(), {}),
            "nothing known would stop flash-attn 2.8.3 here\n"
            "\n"
            "way     no prebuilt wheel fits: it is compiled here\n"
            "\n"
            "run     install it with\n"
            "          CUDA_HOME=/usr/local/cuda-12.8 MAX_JOBS=7 pip install flash-attn==2.8.3\n"
            "        7 = 0.9 × 62 GiB free ÷ 8 GiB\n"
            "unknown no fact tells the GPU: architectures not checked\n");
}

TEST(PackageCheckTest, TextOfACheckThatFindsSomething) {
  PackageCheck check = Sample();
  check.diagnoses = {Cause(Role::kRoot)};
  const std::string text = RenderCheckText(check, {});
  EXPECT_EQ(text,
            "flash-attn 2.8.3 would not install, or not run here\n"
            "\n"
            "way     no prebuilt wheel fits: it is compiled here\n"
            "\n"
            "cause   PyTorch was built with CUDA 12.8, nvcc is CUDA 13.1           "
            "cuda-version-mismatch, certain\n"
            "          nvcc 13.1 in /usr/local/cuda\n"
            "          torch 2.8.0+cu128\n"
            "\n"
            "fix     install CUDA 12.8 beside 13.1 and build with it\n"
            "          sudo apt-get install -y cuda-toolkit-12-8\n"
            "          CUDA_HOME=/usr/local/cuda-12.8 PATH=/usr/local/cuda-12.8/bin:$PATH "
            "MAX_JOBS=32 \\\n"
            "            uv pip install flash-attn --no-build-isolation\n"
            "        takes an hour\n"
            "        check: /usr/local/cuda-12.8/bin/nvcc --version says release 12.8\n"
            "\n"
            "or      take the PyTorch built for CUDA 13.0; costs a 2 GB download\n"
            "        choose it by hand\n"
            "\n"
            "not     MAX_JOBS: it does not touch this check\n"
            "\n"
            "then    install it\n"
            "          CUDA_HOME=/usr/local/cuda-12.8 MAX_JOBS=7 pip install flash-attn==2.8.3\n"
            "        7 = 0.9 × 62 GiB free ÷ 8 GiB\n"
            "unknown no fact tells the GPU: architectures not checked\n"
            "more    cudadoctor explain cuda-version-mismatch\n");
  // A command that the only remedy ends with is not said twice.
  check.command = check.diagnoses[0].remedies[0].steps.back().run;
  EXPECT_THAT(RenderCheckText(check, {}), Not(HasSubstr("then    ")));
}

TEST(PackageCheckTest, SeveralCausesAndAsides) {
  PackageCheck check = Sample();
  check.diagnoses = {Cause(Role::kRoot), Cause(Role::kRoot), Cause(Role::kLatent)};
  check.diagnoses[1].cause = "build-out-of-memory";
  check.diagnoses[2].cause = "driver-too-old";
  const std::string text = RenderCheckText(check, {});
  EXPECT_THAT(text, Not(HasSubstr("\nor  ")));
  EXPECT_THAT(text, HasSubstr("\nbesides "));
  EXPECT_THAT(text, HasSubstr("\nthen    install it\n"));
  EXPECT_THAT(text, HasSubstr("more    cudadoctor explain cuda-version-mismatch\n"
                              "        cudadoctor explain build-out-of-memory\n"));
  EXPECT_TRUE(check.would_stop());
  for (Diagnosis& diagnosis : check.diagnoses) diagnosis.confidence = Confidence::kPossible;
  EXPECT_THAT(RenderCheckText(check, {}),
              HasSubstr("if flash-attn 2.8.3 compiles CUDA code, something may stop it here\n"));
  EXPECT_FALSE(check.would_stop());
  check.diagnoses = {Cause(Role::kLatent)};
  EXPECT_FALSE(check.would_stop());
  EXPECT_THAT(RenderCheckText(check, {}), HasSubstr("nothing known would stop"));
}

TEST(PackageCheckTest, Json) {
  PackageCheck check = Sample();
  check.diagnoses = {Cause(Role::kRoot)};
  const Json json = CheckToJson(check);
  EXPECT_EQ(json["schema"], "cudadoctor.check/1");
  EXPECT_EQ(json["requirement"], "flash-attn==2.8.3");
  EXPECT_EQ(json["would_stop"], true);
  EXPECT_EQ(json["way"]["is"], "compiled");
  EXPECT_EQ(json["diagnoses"][0]["evidence"][0],
            (Json{{"fact", "toolkit_cuda"}, {"text", "nvcc 13.1 in /usr/local/cuda"}}));
  EXPECT_EQ(json["diagnoses"][0]["remedies"][0]["id"], "install-matching-toolkit");
  EXPECT_EQ(json["command"]["run"], check.command);
  check.version.clear();
  check.command_why.clear();
  EXPECT_FALSE(CheckToJson(check).contains("version"));
  EXPECT_FALSE(CheckToJson(check)["command"].contains("why"));
}

}  // namespace
}  // namespace cudadoctor

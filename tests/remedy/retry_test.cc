#include "remedy/retry.h"

#include <map>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

using Values = std::map<std::string, std::string, std::less<>>;

Environment Of(const Values& values) {
  return [values](std::string_view name) -> std::optional<std::string> {
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
}

const Knowledge& Tables() {
  static const Knowledge* const knowledge = new Knowledge([](std::string_view name)
                                                              -> std::string_view {
    return name == "packages"
               ? R"({"packages": [{"name": "foo", "arch": {"variable": "FOO_ARCHS"}, "parallelism": {"variable": "FOO_JOBS"}}]})"
               : "";
  });
  return *knowledge;
}

Report Failed(const Assignments& env) {
  Report report;
  Diagnosis diagnosis;
  diagnosis.cause = "build-out-of-memory";
  diagnosis.confidence = Confidence::kCertain;
  Remedy remedy;
  remedy.title = "build with 4 jobs at once";
  remedy.preferred = true;
  remedy.is_only_env = true;
  remedy.env = env;
  diagnosis.remedies = {remedy};
  report.diagnoses = {diagnosis};
  return report;
}

std::string Describe(const absl::StatusOr<RetryPlan>& plan) {
  if (!plan.ok()) return "no: " + std::string(plan.status().message());
  std::string text = plan->title;
  for (const auto& [name, value] : plan->env) text += "; " + name + "=" + value;
  return text;
}

TEST(PlanRetryTest, OnlyWhatChoosesHowToBuild) {
  const struct {
    const char* name;
    Assignments env;
    Values environment;
    const char* expected;
  } rows[] = {
      {"fewer jobs", {{"MAX_JOBS", "4"}}, {}, "build with 4 jobs at once; MAX_JOBS=4"},
      {"as it was", {{"MAX_JOBS", "4"}}, {{"MAX_JOBS", "4"}}, "no: the fix is in force already"},
      {"one of two differs",
       {{"MAX_JOBS", "4"}, {"NVCC_THREADS", "1"}},
       {{"MAX_JOBS", "4"}},
       "build with 4 jobs at once; NVCC_THREADS=1"},
      {"a toolkit",
       {{"CUDA_HOME", "/usr/local/cuda-12.8"}, {"PATH", "/usr/local/cuda-12.8/bin:$PATH"}},
       {{"PATH", "/opt/bin:/bin"}},
       "build with 4 jobs at once; CUDA_HOME=/usr/local/cuda-12.8; "
       "PATH=/usr/local/cuda-12.8/bin:/opt/bin:/bin"},
      {"another PATH",
       {{"PATH", "$HOME/x:$PATH"}},
       {},
       "no: the fix sets PATH, which is left to you"},
      {"a variable in a value",
       {{"CUDA_HOME", "$CONDA_PREFIX"}},
       {},
       "no: the fix sets CUDA_HOME, which is left to you"},
      {"another variable",
       {{"MAX_JOBS", "4"}, {"FLASH_ATTENTION_SKIP_CUDA_BUILD", "TRUE"}},
       {},
       "no: the fix sets FLASH_ATTENTION_SKIP_CUDA_BUILD, which is left to you"},
      {"a package's own",
       {{"FOO_ARCHS", "90"}, {"FOO_JOBS", "2"}},
       {},
       "build with 4 jobs at once; FOO_ARCHS=90; FOO_JOBS=2"},
      {"of no package",
       {{"BAR_ARCHS", "90"}},
       {},
       "no: the fix sets BAR_ARCHS, which is left to you"},
      {"LD_PRELOAD",
       {{"LD_PRELOAD", "/tmp/x.so"}},
       {},
       "no: the fix sets LD_PRELOAD, which is left to you"},
  };
  for (const auto& row : rows)
    EXPECT_EQ(Describe(PlanRetry(Failed(row.env), Tables(), Of(row.environment))), row.expected)
        << row.name;
}

TEST(PlanRetryTest, OnlyACertainRootWithSuchARemedy) {
  const Environment none = Of({});
  EXPECT_EQ(Describe(PlanRetry(Report(), Tables(), none)),
            "no: nothing was found that a retry could change");
  Report likely = Failed({{"MAX_JOBS", "4"}});
  likely.diagnoses[0].confidence = Confidence::kLikely;
  EXPECT_EQ(Describe(PlanRetry(likely, Tables(), none)), "no: the cause is not certain");
  Report latent = Failed({{"MAX_JOBS", "4"}});
  latent.diagnoses[0].role = Role::kLatent;
  EXPECT_FALSE(PlanRetry(latent, Tables(), none).ok());
  Report installs = Failed({{"MAX_JOBS", "4"}});
  installs.diagnoses[0].remedies[0].is_only_env = false;
  EXPECT_EQ(Describe(PlanRetry(installs, Tables(), none)),
            "no: the fix changes more than variables of the environment");
}

TEST(WriteRecipeTest, ForAShellADockerfileAndUv) {
  const Recipe recipe = WriteRecipe({{"MAX_JOBS", "4"}, {"PATH", "/usr/local/cuda-12.8/bin:/bin"}},
                                    {"uv", "pip", "install", "flash attn"}, "flash-attn");
  EXPECT_EQ(recipe.shell,
            "MAX_JOBS=4 PATH=/usr/local/cuda-12.8/bin:$PATH uv pip install 'flash attn'");
  EXPECT_EQ(recipe.dockerfile, "RUN " + recipe.shell);
  EXPECT_EQ(recipe.uv, "[tool.uv.extra-build-variables]\nflash-attn = { MAX_JOBS = \"4\" }");
  EXPECT_EQ(WriteRecipe({{"MAX_JOBS", "4"}}, {"pip", "install", "x"}, "x").uv, "");
  EXPECT_EQ(WriteRecipe({{"MAX_JOBS", "4"}}, {"uv", "sync"}, "").uv, "");
}

TEST(WriteRecipeTest, ArgumentsAreWhatTheyWere) {
  const Recipe recipe =
      WriteRecipe({{"MAX_JOBS", "4"}}, {"sh", "-c", "echo a\necho 'b\\'", "\xff\x1b"}, "");
  EXPECT_EQ(recipe.shell, R"(MAX_JOBS=4 sh -c $'echo a\necho \'b\\\'' $'\xff\x1b')");
  EXPECT_EQ(recipe.dockerfile, "");
  const Recipe hidden =
      WriteRecipe({}, {"pip", "install", "-i", "https://me:pw@h.example.org/simple", "x"}, "");
  EXPECT_EQ(hidden.shell, "pip install -i https://\"$INDEX_CREDENTIALS\"@h.example.org/simple x");
  EXPECT_EQ(hidden.hidden, std::vector<std::string>{"INDEX_CREDENTIALS"});
}

}  // namespace
}  // namespace cudadoctor

#include "remedy/build_memory.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "rules/rule_set.h"

namespace cudadoctor {
namespace {

using Values = std::vector<std::pair<std::string, std::string>>;

const RuleSet& Rules() {
  static const RuleSet* const rules = RuleSet::Create().value().release();
  return *rules;
}

const Knowledge& Tables() {
  static const Knowledge* const knowledge =
      new Knowledge([](std::string_view name) { return Rules().KnowledgeText(name); });
  return *knowledge;
}

using Compute = std::optional<JobsThatFit> (*)(const Resolver&, int);

std::optional<JobsThatFit> Fit(const Values& values, int architectures, Compute compute = FitJobs) {
  FactStore facts;
  for (const auto& [name, value] : values) {
    const bool is_count =
        name == "cpu_count" || name == "nvcc_threads" || name == "max_jobs" || name == "jobs_seen";
    const ValueType type = name == "package"          ? ValueType::kPackage
                           : name == "killed_program" ? ValueType::kWord
                           : is_count                 ? ValueType::kInteger
                                                      : ValueType::kSize;
    facts.Add({name, type, Normalize(type, value).value_or(""), Origin::kLog, 1, 1});
  }
  static const std::vector<DerivedFact> kNone;
  const Resolver resolver(facts, kNone, Tables());
  return compute(resolver.At(1, 1, {}), architectures);
}

// The founding story: flash-attn for 80, 90, 100 and 120 with NVCC_THREADS=4.
TEST(FitJobsTest, TheFiguresOfTheFoundingStory) {
  struct Row {
    const char* memory;
    int at_least;
    int at_most;
  };
  for (const Row& row : {Row{"432 GiB", 16, 24}, Row{"288 GiB", 8, 14}}) {
    const Values values = {{"package", "flash-attn"},
                           {"memory_total", row.memory},
                           {"nvcc_threads", "4"},
                           {"cpu_count", "128"}};
    const std::optional<JobsThatFit> four = Fit(values, 4);
    ASSERT_TRUE(four.has_value()) << row.memory;
    EXPECT_GE(four->jobs, row.at_least) << four->why;
    EXPECT_LE(four->jobs, row.at_most) << four->why;
    const std::optional<JobsThatFit> by_default = Fit(values, 0);
    ASSERT_TRUE(by_default.has_value());
    EXPECT_EQ(by_default->jobs, four->jobs) << "the package's default is four architectures";
    const std::optional<JobsThatFit> one = Fit(values, 1);
    ASSERT_TRUE(one.has_value());
    EXPECT_GE(one->jobs, 3 * four->jobs) << one->why;
    EXPECT_LE(one->jobs, 4 * four->jobs) << one->why;
  }
}

TEST(FitJobsTest, TakesTheMemoryThatBinds) {
  struct Row {
    const char* name;
    Values values;
    int jobs;  // 0: not known
  };
  const Row rows[] = {
      {"free memory", {{"memory_free", "100 GiB"}, {"job_memory", "10 GiB"}}, 9},
      {"free before total",
       {{"memory_total", "1000 GiB"}, {"memory_free", "100 GiB"}, {"job_memory", "10 GiB"}},
       9},
      {"a limit below what is free",
       {{"memory_limit", "50 GiB"}, {"memory_free", "100 GiB"}, {"job_memory", "10 GiB"}},
       4},
      {"a limit above what is free",
       {{"memory_limit", "500 GiB"}, {"memory_free", "100 GiB"}, {"job_memory", "10 GiB"}},
       9},
      {"a limit before total",
       {{"memory_total", "1000 GiB"}, {"memory_limit", "50 GiB"}, {"job_memory", "10 GiB"}},
       4},
      {"no more than the cores",
       {{"memory_free", "100 GiB"}, {"job_memory", "1 GiB"}, {"cpu_count", "8"}},
       8},
      {"at least one", {{"memory_free", "4 GiB"}, {"job_memory", "10 GiB"}}, 1},
      {"a measurement before the package's figure",
       {{"memory_free", "100 GiB"}, {"job_memory", "10 GiB"}, {"package", "flash-attn"}},
       9},
      {"a job that this run measured before the kernel's figure",
       {{"memory_free", "100 GiB"}, {"job_memory", "10 GiB"}, {"job_memory_seen", "20 GiB"}},
       4},
      {"one of four compilers was killed",
       {{"memory_free", "288 GiB"},
        {"job_memory", "6.5 GiB"},
        {"killed_program", "cicc"},
        {"package", "flash-attn"}},
       9},
      {"another program was killed",
       {{"memory_free", "288 GiB"},
        {"job_memory", "6.5 GiB"},
        {"killed_program", "cc1plus"},
        {"package", "flash-attn"}},
       39},
      {"no memory", {{"job_memory", "10 GiB"}}, 0},
      {"no figure for the package",
       {{"memory_free", "100 GiB"}, {"package", "no-such-package"}},
       0},
      {"no package", {{"memory_free", "100 GiB"}}, 0},
      {"nothing", {}, 0},
  };
  for (const Row& row : rows) {
    const std::optional<JobsThatFit> fit = Fit(row.values, 0);
    EXPECT_EQ(fit.has_value() ? fit->jobs : 0, row.jobs) << row.name;
  }
}

TEST(FewerJobsTest, NeverAsManyAsWereTried) {
  struct Row {
    const char* name;
    Values values;
    int jobs;
  };
  const Row rows[] = {
      {"fewer than were tried",
       {{"memory_free", "100 GiB"}, {"job_memory", "2 GiB"}, {"max_jobs", "16"}},
       8},
      {"fewer than were seen",
       {{"memory_free", "100 GiB"},
        {"job_memory", "2 GiB"},
        {"max_jobs", "16"},
        {"jobs_seen", "5"}},
       2},
      {"more were tried than fit",
       {{"memory_free", "100 GiB"}, {"job_memory", "10 GiB"}, {"max_jobs", "16"}},
       9},
      {"one alone was too much",
       {{"memory_free", "100 GiB"}, {"job_memory", "10 GiB"}, {"max_jobs", "1"}},
       9},
  };
  for (const Row& row : rows) {
    const std::optional<JobsThatFit> fit = Fit(row.values, 0, FewerJobs);
    ASSERT_TRUE(fit.has_value()) << row.name;
    EXPECT_EQ(fit->jobs, row.jobs) << row.name;
  }
  EXPECT_EQ(
      Fit({{"memory_free", "100 GiB"}, {"job_memory", "2 GiB"}, {"max_jobs", "16"}}, 0, FewerJobs)
          ->why,
      "8 is half of the 16 jobs that were too many; an estimate allows 45 = 0.9 × 100 GiB free ÷ 2 "
      "GiB measured for the compiler that was killed");
  EXPECT_EQ(Fit({{"memory_free", "100 GiB"}, {"job_memory", "2 GiB"}, {"max_jobs", "16"}}, 0)->jobs,
            45)
      << "where nothing was too much";
}

TEST(FitJobsTest, ShowsItsNumbers) {
  const std::optional<JobsThatFit> cores =
      Fit({{"memory_free", "100 GiB"}, {"job_memory", "2.5 GiB"}, {"cpu_count", "8"}}, 0);
  ASSERT_TRUE(cores.has_value());
  EXPECT_EQ(cores->why,
            "8 = 0.9 × 100 GiB free ÷ 2.5 GiB measured for the compiler that was killed, no more "
            "than the 8 cores");
  const std::optional<JobsThatFit> one =
      Fit({{"memory_limit", "4 GiB"}, {"job_memory", "10 GiB"}}, 0);
  ASSERT_TRUE(one.has_value());
  EXPECT_EQ(one->why,
            "1 = 0.9 × 4 GiB limit ÷ 10 GiB measured for the compiler that was killed; even one "
            "may not fit");
}

TEST(FitJobsTest, FewerThreadsNeedLess) {
  const Values values = {{"package", "flash-attn"}, {"memory_free", "288 GiB"}};
  Values one_thread = values;
  one_thread.emplace_back("nvcc_threads", "1");
  EXPECT_GT(Fit(one_thread, 4)->jobs, Fit(values, 4)->jobs);
  EXPECT_EQ(Fit(one_thread, 4)->jobs, Fit(values, 1)->jobs) << "one compiler at once, either way";
}

}  // namespace
}  // namespace cudadoctor

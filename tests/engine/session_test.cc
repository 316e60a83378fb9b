#include "engine/session.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "report/renderer.h"

namespace cudadoctor {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const RuleSet& Rules() {
  static const RuleSet* const rules = RuleSet::Create().value().release();
  return *rules;
}

constexpr char kFailure[] =
    "RuntimeError:\nThe detected CUDA version (13.1) mismatches the version that was used to "
    "compile\n"
    "PyTorch (12.8). Please make sure to use the same CUDA versions.\n";

Report Finish(const std::string& log, std::optional<int> exit_status = std::nullopt,
              SessionOptions options = {}) {
  auto session = Session::Create(Rules(), std::move(options));
  EXPECT_TRUE(session.ok()) << session.status();
  EXPECT_TRUE((*session)->Feed(log).ok());
  absl::StatusOr<Report> report = (*session)->Finish(exit_status);
  EXPECT_TRUE(report.ok()) << report.status();
  return report.ok() ? *report : Report();
}

TEST(SessionTest, FromBytesToAReport) {
  SessionOptions options;
  options.input_name = "build.log";
  const Report report = Finish(kFailure, std::nullopt, options);
  EXPECT_EQ(report.input.name, "build.log");
  EXPECT_EQ(report.input.lines, 3);
  EXPECT_EQ(report.input.bytes, static_cast<int64_t>(sizeof(kFailure) - 1));
  EXPECT_THAT(report.input.limits, IsEmpty());
  EXPECT_EQ(report.outcome, Outcome::kFailed);
  ASSERT_EQ(report.diagnoses.size(), 1u);
  const Diagnosis& diagnosis = report.diagnoses[0];
  EXPECT_EQ(diagnosis.cause, "cuda-version-mismatch");
  EXPECT_EQ(diagnosis.title, "PyTorch was built with CUDA 12.8, nvcc is CUDA 13.1");
  ASSERT_EQ(diagnosis.evidence.size(), 1u);
  EXPECT_EQ(diagnosis.evidence[0].line, 2);
  EXPECT_EQ(diagnosis.evidence[0].last_line, 3);
  EXPECT_EQ(diagnosis.evidence[0].column, 1);
  ASSERT_FALSE(diagnosis.remedies.empty());
  EXPECT_TRUE(diagnosis.remedies[0].preferred);
  for (size_t i = 1; i < diagnosis.remedies.size(); ++i)
    EXPECT_FALSE(diagnosis.remedies[i].preferred);
}

TEST(SessionTest, CountsEveryByteAndLine) {
  struct Row {
    const char* name;
    std::string log;
    int64_t lines;
  };
  const Row rows[] = {{"nothing", "", 0},
                      {"one byte", "x", 1},
                      {"one newline", "\n", 1},
                      {"two bytes", "x\n", 1},
                      {"no final newline", "x\ny", 2}};
  for (const Row& row : rows) {
    const Report report = Finish(row.log);
    EXPECT_EQ(report.input.lines, row.lines) << row.name;
    EXPECT_EQ(report.input.bytes, static_cast<int64_t>(row.log.size())) << row.name;
    EXPECT_EQ(report.outcome, Outcome::kUndetermined) << row.name;
  }
}

TEST(SessionTest, TheExitStatusOfTheCommand) {
  EXPECT_EQ(Finish("x\n", 0).outcome, Outcome::kSucceeded);
  const Report failed = Finish("x\n", 1);
  EXPECT_EQ(failed.outcome, Outcome::kFailed);
  ASSERT_EQ(failed.diagnoses.size(), 1u);
  EXPECT_EQ(failed.diagnoses[0].cause, "unknown");
  EXPECT_EQ(failed.diagnoses[0].confidence, Confidence::kPossible) << "unknown is never certain";
}

TEST(SessionTest, SaysThatALogWasCut) {
  const Report clipped =
      Finish(std::string("[output clipped, log limit 2MiB reached]\n") + kFailure);
  EXPECT_THAT(clipped.input.limits, ElementsAre("clipped-upstream"));
  ASSERT_FALSE(clipped.diagnoses.empty());
  EXPECT_NE(clipped.diagnoses[0].confidence, Confidence::kCertain);
  const Report cut = Finish(
      "RuntimeError: The detected CUDA version (13.1) mismatches the version that was used to "
      "compile PyTorch (12.8)" +
      std::string(20000, 'x') + "\n");
  EXPECT_THAT(cut.input.limits, ElementsAre("evidence-cut"));
}

TEST(SessionTest, HostFactsAreUsedForALogOfThisMachineOnly) {
  SessionOptions options;
  options.host_facts = [] {
    return std::vector<Fact>{{"gpu_name", ValueType::kGpuName, "NVIDIA H100", Origin::kHost},
                             {"memory_free", ValueType::kSize, "40.0", Origin::kHost}};
  };
  options.is_local_host = true;
  const auto has_host = [](const Report& report) {
    for (const Fact& fact : report.facts) {
      if (fact.origin == Origin::kHost) return true;
    }
    return false;
  };
  EXPECT_TRUE(has_host(Finish(kFailure, std::nullopt, options)));
  const std::string of_ci =
      "2026-03-04T08:12:31.1234567Z RuntimeError: The detected CUDA version (13.1) "
      "mismatches the version that was used to compile PyTorch (12.8).\n";
  EXPECT_FALSE(has_host(Finish(of_ci, std::nullopt, options)));
  const std::string of_another_gpu =
      std::string("GPU 0: NVIDIA GeForce RTX 3090 (UUID: x)\n") + kFailure;
  EXPECT_FALSE(has_host(Finish(of_another_gpu, std::nullopt, options)));
  options.is_local_host = false;
  EXPECT_TRUE(has_host(Finish(of_ci, std::nullopt, options))) << "given for this log";
  const Report given = Finish(of_another_gpu, std::nullopt, options);
  EXPECT_TRUE(has_host(given));
  for (const Fact& fact : given.facts) {
    EXPECT_FALSE(fact.origin == Origin::kHost && fact.name == "gpu_name")
        << "what the log says otherwise is left out";
  }
}

TEST(SessionTest, WhatACommandStatesIsUsedInAnyCaseAndCountsAsStated) {
  SessionOptions options;
  options.host_facts = [] {
    return std::vector<Fact>{{"os", ValueType::kWord, "windows", Origin::kHost},
                             {"tool", ValueType::kWord, "uv", Origin::kHost}};
  };
  options.command_facts = [] {
    return std::vector<Fact>{{"command", ValueType::kCommand, "make -j8", Origin::kHost}};
  };
  const auto names = [&] {
    std::string names;
    for (const Fact& fact : Finish("make: *** [Makefile:3: all] Error 1\n", 2, options).facts)
      if (fact.origin == Origin::kHost) names += fact.name + " ";
    return names;
  };
  EXPECT_EQ(names(), "command os ") << "make is no work of the host's Python installer";
  options.command_facts = nullptr;
  EXPECT_EQ(names(), "os tool ");
}

TEST(SessionTest, TheHostIsAskedOnceAndForAFailureOnly) {
  int asked = 0;
  SessionOptions options;
  options.host_facts = [&asked] {
    ++asked;
    return std::vector<Fact>();
  };
  Finish("Successfully installed flash-attn-2.8.3\n", std::nullopt, options);
  EXPECT_EQ(asked, 0);
  Finish(kFailure, std::nullopt, options);
  EXPECT_EQ(asked, 1);
}

TEST(SessionTest, Traces) {
  std::vector<std::string> trace;
  SessionOptions options;
  options.trace = [&trace](const std::string& line) { trace.push_back(line); };
  Finish(kFailure, std::nullopt, options);
  EXPECT_THAT(trace, Contains(HasSubstr("line 2-3: cuda-version-mismatch torch-check-message")));
  EXPECT_THAT(trace, Contains(HasSubstr("won")));
}

}  // namespace
}  // namespace cudadoctor

#include "run/streams.h"

#include <unistd.h>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

constexpr StreamKind kTerminal = StreamKind::kTerminal, kPipe = StreamKind::kPipe,
                     kFile = StreamKind::kFile;

TEST(PlanStreamsTest, Table) {
  struct Row {
    const char* name;
    OwnStreams own;
    Channel output;
    Channel error;
    bool has_session;
  };
  const Row rows[] = {
      {"at a terminal",
       {kTerminal, kTerminal, kTerminal, true},
       Channel::kTerminal,
       Channel::kWithOutput,
       true},
      {"in its background",
       {kTerminal, kTerminal, kTerminal, true, true},
       Channel::kTerminal,
       Channel::kWithOutput,
       false},
      {"< /dev/null",
       {kFile, kTerminal, kTerminal, true},
       Channel::kTerminal,
       Channel::kWithOutput,
       false},
      {"yes |",
       {kPipe, kTerminal, kTerminal, true},
       Channel::kTerminal,
       Channel::kWithOutput,
       false},
      {"| less", {kTerminal, kPipe, kTerminal, false}, Channel::kPipe, Channel::kTerminal, false},
      {"2>&1 | tee", {kTerminal, kPipe, kPipe, true}, Channel::kPipe, Channel::kWithOutput, false},
      {"> log", {kTerminal, kFile, kTerminal, false}, Channel::kPipe, Channel::kTerminal, false},
      {"2> log", {kTerminal, kTerminal, kFile, false}, Channel::kTerminal, Channel::kPipe, true},
      {"a CI job, one pipe",
       {kFile, kPipe, kPipe, true},
       Channel::kPipe,
       Channel::kWithOutput,
       false},
      {"a CI job, two pipes",
       {kFile, kPipe, kPipe, false},
       Channel::kPipe,
       Channel::kWithOutput,
       false},
      {"> log 2>&1", {kFile, kFile, kFile, true}, Channel::kPipe, Channel::kWithOutput, false},
      {"> out 2> err", {kFile, kFile, kFile, false}, Channel::kPipe, Channel::kPipe, false},
      {"a CI job, 2> err", {kFile, kPipe, kFile, false}, Channel::kPipe, Channel::kPipe, false},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const StreamPlan plan = PlanStreams(row.own);
    EXPECT_EQ(plan.output, row.output);
    EXPECT_EQ(plan.error, row.error);
    EXPECT_EQ(plan.has_session, row.has_session);
  }
}

TEST(LookAtOwnStreamsTest, SameWhenErrorIsACopyOfOutput) {
  const int error = dup(STDERR_FILENO);
  ASSERT_GE(error, 0);
  dup2(STDOUT_FILENO, STDERR_FILENO);
  const OwnStreams own = LookAtOwnStreams();
  dup2(error, STDERR_FILENO);
  close(error);
  EXPECT_TRUE(own.is_error_output);
  EXPECT_EQ(own.output, own.error);
}

}  // namespace
}  // namespace cudadoctor

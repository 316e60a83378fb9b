#include "run/command.h"

#include <unistd.h>

#include <csignal>
#include <string>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

// What a test's command printed. Standard output and error of the test are pipes or files, or a
// terminal: what is asserted holds for each (tests/cli/run_test.py has the rest).
struct ShellRun {
  std::string output;
  int ticks = 0;
  int pauses = 0;
  CommandEnd end;

  explicit ShellRun(const std::string& script, int signal_at_tick = 0) {
    CommandOptions options;
    options.arguments = {"sh", "-c", script};
    options.environment = {{"ADDED", "value"}};
    options.tick = std::chrono::milliseconds(5);
    options.on_output = [this](int, std::string_view bytes) {
      output.append(bytes);
      return true;
    };
    options.on_tick = [this, signal_at_tick](const CommandTick& tick) {
      ++ticks;
      EXPECT_GT(tick.process, 0);
      if (signal_at_tick != 0 && output.find("ready") != std::string::npos && pauses == 0)
        kill(getpid(), signal_at_tick);
    };
    options.on_pause = [this] { ++pauses; };
    const absl::StatusOr<CommandEnd> result = RunCommand(options);
    EXPECT_TRUE(result.ok());
    if (result.ok()) end = *result;
  }
};

TEST(RunCommandTest, StatusAndOutput) {
  struct Row {
    const char* script;
    int status;
    const char* output;
  };
  const Row rows[] = {
      {"true", 0, ""},
      {"printf \"$ADDED\"; exit 42", 42, "value"},
      {"printf one; printf two; kill -9 $$", 128 + SIGKILL, "onetwo"},
  };
  for (const Row& row : rows) {
    const ShellRun run(row.script);
    EXPECT_EQ(run.end.status, row.status) << row.script;
    EXPECT_TRUE(run.end.is_started);
    EXPECT_TRUE(run.end.has_reader);
    EXPECT_EQ(run.output, row.output);
    EXPECT_EQ(run.pauses, 1);
  }
}

TEST(RunCommandTest, ASignalToUsIsTheCommands) {
  const ShellRun run("echo ready; while :; do sleep 1; done", SIGTERM);
  EXPECT_EQ(run.end.status, 128 + SIGTERM);
  EXPECT_GT(run.ticks, 0);
}

TEST(RunCommandTest, SignalsAreOursAgainAfterwards) {
  sigset_t before, after;
  sigprocmask(SIG_BLOCK, nullptr, &before);
  const ShellRun run("true");
  sigprocmask(SIG_BLOCK, nullptr, &after);
  for (const int signal : {SIGINT, SIGTERM, SIGCHLD, SIGTTOU})
    EXPECT_EQ(sigismember(&after, signal), sigismember(&before, signal)) << signal;
}

TEST(RunCommandTest, AReaderThatLeavesEndsTheCommand) {
  CommandOptions options;
  options.arguments = {"yes"};
  options.on_output = [](int, std::string_view) { return false; };
  options.on_tick = [](const CommandTick&) {};
  options.on_pause = [] {};
  const absl::StatusOr<CommandEnd> end = RunCommand(options);
  ASSERT_TRUE(end.ok());
  EXPECT_FALSE(end->has_reader);
  EXPECT_NE(end->status, 0);
}

TEST(RunCommandTest, NotFound) {
  CommandOptions options;
  options.arguments = {"no-such-program"};
  options.on_pause = [] {};
  const absl::StatusOr<CommandEnd> end = RunCommand(options);
  ASSERT_TRUE(end.ok());
  EXPECT_FALSE(end->is_started);
  EXPECT_EQ(end->status, 127);
  EXPECT_EQ(end->reason,
            "no-such-program: not found; check the name, and that PATH has its folder");
}

}  // namespace
}  // namespace cudadoctor

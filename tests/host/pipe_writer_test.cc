#include "host/pipe_writer.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace cudadoctor {
namespace {

using Words = std::vector<std::string>;

bool IsAny(const Words& /*arguments*/) { return true; }

// A pipe that a shell's commands write into. The shell runs until the test ends.
class Pipe : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(pipe(ends_.data()), 0); }

  void TearDown() override {
    for (const pid_t child : children_) {
      kill(-child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
    close(ends_[0]);
    close(ends_[1]);
  }

  // Starts `script` below sh, its output in the pipe, and waits until it says something.
  void Start(const std::string& script) {
    const pid_t child = fork();
    if (child == 0) {
      setpgid(0, 0);
      dup2(ends_[1], STDOUT_FILENO);
      dup2(ends_[1], STDERR_FILENO);
      close(ends_[0]);
      close(ends_[1]);
      execl("/bin/sh", "sh", "-c", script.c_str(), nullptr);
      _exit(127);
    }
    children_.push_back(child);
    std::array<char, 64> said;
    ASSERT_GT(read(ends_[0], said.data(), said.size()), 0);
  }

  // What is seen in the end: the shell may take a while until it has become its command.
  Words Seen() {
    PipeWriterWatch watch(ends_[0], getpid(), IsAny);
    while (!watch.Writer().has_value()) watch.Look();
    return watch.Writer()->arguments;
  }

  std::array<int, 2> ends_ = {};
  std::vector<pid_t> children_;
};

TEST_F(Pipe, ACommandThatRuns) {
  Start("echo; exec sleep 1000");
  EXPECT_EQ(Seen(), (Words{"sleep", "1000"}));
}

TEST_F(Pipe, InAGroupOfCommandsAndBelowAWrapper) {
  Start("echo; timeout --foreground 900 env LANG=C sleep 1000; true");
  EXPECT_EQ(Seen(), (Words{"sleep", "1000"}));
}

TEST_F(Pipe, ThroughTee) {
  Start("{ echo; exec sleep 1000; } | exec tee /dev/null");
  EXPECT_EQ(Seen(), (Words{"sleep", "1000"}));
}

TEST_F(Pipe, ItsVariables) {
  Start("echo; exec env MAX_JOBS=4 sleep 1000");
  PipeWriterWatch watch(ends_[0], getpid(), IsAny);
  while (!watch.Writer().has_value()) watch.Look();
  EXPECT_EQ(watch.Writer()->Variable("MAX_JOBS"), "4");
  EXPECT_EQ(watch.Writer()->Variable("MAX_JOBS_"), std::nullopt);
  const std::vector<std::pair<std::string, std::string>> own =
      watch.Writer()->OwnVariables(ProcessEnvironment);
  EXPECT_EQ(own, (std::vector<std::pair<std::string, std::string>>{{"MAX_JOBS", "4"}}));
}

TEST_F(Pipe, WhatIsNoCommandIsLeftOut) {
  bool was_asked = false;
  PipeWriterWatch watch(ends_[0], getpid(), [&was_asked](const Words& words) {
    was_asked = was_asked || words[0] == "sleep";
    return false;
  });
  Start("echo; exec sleep 1000");
  while (!was_asked) watch.Look();
  EXPECT_FALSE(watch.Writer().has_value());
}

TEST_F(Pipe, TwoCommandsAreNone) {
  PipeWriterWatch watch(ends_[0], getpid(), IsAny);
  Start("echo; exec sleep 1000");
  while (!watch.Writer().has_value()) watch.Look();
  kill(children_.front(), SIGKILL);
  waitpid(children_.front(), nullptr, 0);
  children_.clear();
  Start("echo; exec sleep 2000");
  while (watch.Writer().has_value()) watch.Look();
  EXPECT_FALSE(watch.Writer().has_value());
}

TEST_F(Pipe, AScriptIsACommandOfItsOwn) {
  Start("echo 'rm $0; sleep 1000; true' >/tmp/pipe-writer-$$; echo; exec sh /tmp/pipe-writer-$$");
  EXPECT_EQ(Seen().front(), "sh");
}

TEST(PipeWriterWatch, AFileIsNoPipe) {
  PipeWriterWatch watch(STDERR_FILENO + 100, getpid(), IsAny);
  watch.Look();
  EXPECT_FALSE(watch.Writer().has_value());
}

}  // namespace
}  // namespace cudadoctor

#include "host/program.h"

#include <signal.h>

#include <cerrno>
#include <chrono>
#include <string>

#include "absl/strings/numbers.h"
#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

using End = ProgramResult::End;

constexpr std::chrono::milliseconds kAmple{60000};

TEST(RunProgramTest, GivesOutputAndStatus) {
  struct Row {
    const char* script;
    End end;
    int status;
    std::string output;
  };
  const Row rows[] = {
      {"echo out; echo err >&2; exit 3", End::kExited, 3, "out\nerr\n"},
      {"cat", End::kExited, 0, ""},  // there is no standard input
      {"kill -9 $$", End::kKilled, 0, ""},
      {"exec >&- 2>&-; exit 5", End::kExited, 5, ""},
      {"head -c 100000 /dev/zero | tr '\\0' x", End::kExited, 0, std::string(65536, 'x')},
  };
  for (const Row& row : rows) {
    const ProgramResult result = RunProgram({"/bin/sh", "-c", row.script}, kAmple);
    EXPECT_EQ(result.end, row.end) << row.script;
    EXPECT_EQ(result.status, row.status) << row.script;
    EXPECT_EQ(result.output, row.output) << row.script;
  }
}

TEST(RunProgramTest, WhereChildrenAreNotToBeReaped) {
  const auto before = signal(SIGCHLD, SIG_IGN);
  const ProgramResult result = RunProgram({"/bin/sh", "-c", "echo out"}, kAmple);
  signal(SIGCHLD, before);
  EXPECT_EQ(result.end, End::kExited);
  EXPECT_EQ(result.output, "out\n");
}

TEST(RunProgramTest, WhatCannotBeStarted) {
  EXPECT_EQ(RunProgram({"/nowhere/none"}, kAmple).end, End::kNotStarted);
  EXPECT_EQ(RunProgram({"/"}, kAmple).end, End::kNotStarted);
  EXPECT_EQ(RunProgram({}, kAmple).end, End::kNotStarted);
}

// The child that keeps the pipe open would hold the reader up, were it not killed as well.
TEST(RunProgramTest, EndsWhatTakesTooLong) {
  const auto begin = std::chrono::steady_clock::now();
  const ProgramResult result =
      RunProgram({"/bin/sh", "-c", "sleep 1000 & echo $!; wait"}, std::chrono::milliseconds(200));
  EXPECT_EQ(result.end, End::kNoAnswer);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
  int child = 0;
  if (result.output.empty()) return;  // a slow machine did not get as far
  ASSERT_TRUE(absl::SimpleAtoi(result.output, &child)) << result.output;
  const auto is_gone = [child] { return kill(child, 0) != 0 && errno == ESRCH; };
  // Its end is for init to take in, which may need a moment; it only must not sleep on.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!is_gone() && std::chrono::steady_clock::now() < deadline) {
    const ProgramResult state = RunProgram(
        {"/bin/sh", "-c", "grep State: /proc/" + std::to_string(child) + "/status"}, kAmple);
    if (state.output.find("Z") != std::string::npos || state.output.empty()) return;
  }
  EXPECT_TRUE(is_gone());
}

}  // namespace
}  // namespace cudadoctor

#include "run/launch.h"

#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

// Waits for the next change.
Change Wait(Launch& launch) {
  for (;;) {
    if (const std::optional<Change> change = launch.NextChange()) return *change;
    pollfd wait{launch.descriptor(), POLLIN, 0};
    poll(&wait, 1, 10);  // once it is executed, only SIGCHLD tells of the end
  }
}

LaunchOptions Shell(const std::string& script) {
  LaunchOptions options{.arguments = {"sh", "-c", script}, .environment = {{"ADDED", "value"}}};
  sigemptyset(&options.signal_mask);
  return options;
}

TEST(LaunchTest, StartsAndEnds) {
  setenv("ADDED", "old", 1);
  absl::StatusOr<Launch> launch = Launch::Start(Shell("test \"$ADDED\" = value && exit 42"));
  ASSERT_TRUE(launch.ok());
  const Change started = Wait(*launch);
  EXPECT_EQ(started.kind, Change::Kind::kStarted);
  EXPECT_GT(started.value, 0);
  const Change ended = Wait(*launch);
  EXPECT_EQ(ended.kind, Change::Kind::kEnded);
  EXPECT_EQ(WEXITSTATUS(ended.value), 42);
  EXPECT_FALSE(launch->NextChange().has_value());
}

TEST(LaunchTest, SaysWhyItDidNotStart) {
  LaunchOptions options = Shell("");
  options.arguments = {"no-such-program"};
  absl::StatusOr<Launch> launch = Launch::Start(options);
  ASSERT_TRUE(launch.ok());
  const Change change = Wait(*launch);
  EXPECT_EQ(change.kind, Change::Kind::kNotExecuted);
  EXPECT_EQ(change.value, ENOENT);
}

TEST(LaunchTest, ASession) {
  int master = -1;
  int slave = -1;
  ASSERT_EQ(openpty(&master, &slave, nullptr, nullptr, nullptr), 0);
  LaunchOptions options = Shell("test -t 0 && (: < /dev/tty) && kill -TSTP $$; exit 7");
  options.input = slave;
  options.has_session = true;
  options.close = {master};
  absl::StatusOr<Launch> launch = Launch::Start(options);
  ASSERT_TRUE(launch.ok());
  const Change started = Wait(*launch);
  EXPECT_EQ(started.kind, Change::Kind::kStarted);
  EXPECT_EQ(getpgid(started.value), started.value);
  const Change stopped = Wait(*launch);
  EXPECT_EQ(stopped.kind, Change::Kind::kStopped);
  kill(-started.value, SIGCONT);
  const Change ended = Wait(*launch);
  EXPECT_EQ(ended.kind, Change::Kind::kEnded);
  EXPECT_EQ(WEXITSTATUS(ended.value), 7);
  close(master);
  close(slave);
}

TEST(LaunchTest, ASessionThatDidNotStart) {
  int master = -1;
  int slave = -1;
  ASSERT_EQ(openpty(&master, &slave, nullptr, nullptr, nullptr), 0);
  LaunchOptions options = Shell("");
  options.arguments = {"/etc/passwd"};
  options.input = slave;
  options.has_session = true;
  absl::StatusOr<Launch> launch = Launch::Start(options);
  ASSERT_TRUE(launch.ok());
  Change change = Wait(*launch);
  if (change.kind == Change::Kind::kStarted) change = Wait(*launch);  // its parent was quicker
  EXPECT_EQ(change.kind, Change::Kind::kNotExecuted);
  EXPECT_EQ(change.value, EACCES);
  close(master);
  close(slave);
}

}  // namespace
}  // namespace cudadoctor

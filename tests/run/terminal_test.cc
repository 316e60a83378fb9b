#include "run/terminal.h"

#include <fcntl.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <functional>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

// A pseudo-terminal of which a child process is in the foreground.
class Pty {
 public:
  Pty() { is_open_ = openpty(&master_, &slave_, nullptr, nullptr, nullptr) == 0; }
  ~Pty() {
    close(master_);
    close(slave_);
  }
  bool is_open() const { return is_open_; }
  int slave() const { return slave_; }
  termios Settings() const {
    termios settings;
    std::memset(&settings, 0, sizeof(settings));
    tcgetattr(slave_, &settings);
    return settings;
  }
  // The status, as of waitpid, of a process that is in the terminal's foreground and calls `body`.
  int Run(const std::function<void()>& body) const {
    const pid_t child = fork();
    if (child == 0) {
      setsid();
      ioctl(slave_, TIOCSCTTY, 0);
      body();
      _exit(99);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }

 private:
  int master_ = -1;
  int slave_ = -1;
  bool is_open_ = false;
};

bool IsRaw(const termios& settings) { return (settings.c_lflag & ICANON) == 0; }

TEST(RawTerminalTest, RestoredOnEveryWayOut) {
  struct Row {
    const char* name;
    std::function<void(RawTerminal&)> end;
  };
  const Row rows[] = {
      {"destroyed", [](RawTerminal&) {}},
      {"restored",
       [](RawTerminal& raw) {
         raw.Restore();
         _exit(0);
       }},
      {"exit", [](RawTerminal&) { std::exit(0); }},
      {"abort", [](RawTerminal&) { std::abort(); }},
#ifndef __SANITIZE_ADDRESS__  // which has a handler of its own, and that is kept
      {"segmentation fault", [](RawTerminal&) { raise(SIGSEGV); }},
#endif
      {"alarm", [](RawTerminal&) { raise(SIGALRM); }},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const Pty pty;
    ASSERT_TRUE(pty.is_open());
    const termios before = pty.Settings();
    int seen[2] = {};
    ASSERT_EQ(pipe(seen), 0);
    pty.Run([&] {
      {
        RawTerminal raw(pty.slave());
        raw.SetRaw();
        const char was_raw = IsRaw(pty.Settings()) && raw.is_raw() ? 'y' : 'n';
        if (write(seen[1], &was_raw, 1) == 1) row.end(raw);
      }
      _exit(0);
    });
    char was_raw = 0;
    EXPECT_EQ(read(seen[0], &was_raw, 1), 1);
    EXPECT_EQ(was_raw, 'y');
    const termios after = pty.Settings();
    EXPECT_EQ(after.c_lflag, before.c_lflag);
    EXPECT_EQ(after.c_iflag, before.c_iflag);
    EXPECT_EQ(after.c_oflag, before.c_oflag);
    close(seen[0]);
    close(seen[1]);
  }
}

TEST(RawTerminalTest, TheSignalHasItsEffect) {
  const Pty pty;
  ASSERT_TRUE(pty.is_open());
  const int status = pty.Run([&] {
    RawTerminal raw(pty.slave());
    raw.SetRaw();
    raise(SIGALRM);
  });
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGALRM);
}

TEST(RawTerminalTest, NotInTheBackground) {
  const Pty pty;
  ASSERT_TRUE(pty.is_open());
  EXPECT_FALSE(IsForeground(pty.slave()));
  RawTerminal raw(pty.slave());
  raw.SetRaw();
  EXPECT_FALSE(raw.is_raw());
  EXPECT_FALSE(IsRaw(pty.Settings()));
}

TEST(WindowSizeTest, OfATerminalOnly) {
  const Pty pty;
  ASSERT_TRUE(pty.is_open());
  winsize size{};
  size.ws_col = 117;
  ASSERT_EQ(ioctl(pty.slave(), TIOCSWINSZ, &size), 0);
  ASSERT_TRUE(WindowSize(pty.slave()).has_value());
  EXPECT_EQ(WindowSize(pty.slave())->ws_col, 117);
  const int file = open("/dev/null", O_RDONLY);
  EXPECT_FALSE(WindowSize(file).has_value());
  close(file);
}

}  // namespace
}  // namespace cudadoctor

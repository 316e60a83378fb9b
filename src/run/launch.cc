#include "run/launch.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace cudadoctor {
namespace {

// Between fork and exec only calls that are safe in a signal handler are made: everything that
// takes memory is prepared before.
struct Prepared {
  std::vector<char*> arguments;
  std::vector<std::string> variables;
  std::vector<char*> environment;
};

Prepared Prepare(const LaunchOptions& options) {
  Prepared prepared;
  for (const std::string& argument : options.arguments)
    prepared.arguments.push_back(const_cast<char*>(argument.c_str()));
  prepared.arguments.push_back(nullptr);
  for (const auto& [name, value] : options.environment)
    prepared.variables.push_back(absl::StrCat(name, "=", value));
  for (const std::string& variable : prepared.variables)
    prepared.environment.push_back(const_cast<char*>(variable.c_str()));
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view ours(*variable);
    const std::string_view name = ours.substr(0, ours.find('='));
    bool is_replaced = false;
    for (const auto& [replaced, value] : options.environment)
      is_replaced = is_replaced || replaced == name;
    if (!is_replaced) prepared.environment.push_back(*variable);
  }
  prepared.environment.push_back(nullptr);
  return prepared;
}

void Tell(int reports, Change::Kind kind, int value) {
  const Change change{kind, value};
  // Smaller than PIPE_BUF, so it is written whole; a reader that has gone needs no report.
  while (write(reports, &change, sizeof(change)) < 0 && errno == EINTR) {
  }
}

[[noreturn]] void Execute(const LaunchOptions& options, const Prepared& prepared, int reports) {
  // Above the standard streams, so that none is overwritten before it is used.
  const std::array<int, 3> wanted = {options.input, options.output, options.error};
  std::array<int, 3> copies{};
  for (size_t i = 0; i < wanted.size(); ++i) copies[i] = fcntl(wanted[i], F_DUPFD_CLOEXEC, 3);
  for (size_t i = 0; i < copies.size(); ++i) dup2(copies[i], static_cast<int>(i));
  // Ours is ignored; what a command expects of a pipe without reader is the default.
  signal(SIGPIPE, SIG_DFL);
  sigprocmask(SIG_SETMASK, &options.signal_mask, nullptr);
  execvpe(prepared.arguments[0], prepared.arguments.data(), prepared.environment.data());
  Tell(reports, Change::Kind::kNotExecuted, errno);
  _exit(127);
}

// Of the process that leads the session: the command, for its handler of SIGHUP.
volatile sig_atomic_t g_command = 0;

// The kernel tells the end of the terminal to the session's leader only.
void PassHangup(int) {
  kill(-g_command, SIGHUP);
  kill(-g_command, SIGCONT);
}

// The session's first process: starts the command in a process group of its own, says what becomes
// of it, and ends after it.
[[noreturn]] void LeadSession(const LaunchOptions& options, const Prepared& prepared, int reports) {
  setsid();
  ioctl(options.input, TIOCSCTTY, 0);
  for (const int descriptor : options.close) close(descriptor);
  // The command takes the terminal from the background, which is then allowed.
  sigset_t background_output;
  sigemptyset(&background_output);
  sigaddset(&background_output, SIGTTOU);
  sigprocmask(SIG_BLOCK, &background_output, nullptr);
  const pid_t command = fork();
  if (command < 0) {
    Tell(reports, Change::Kind::kNotExecuted, errno);
    _exit(126);
  }
  if (command == 0) {
    setpgid(0, 0);
    tcsetpgrp(options.input, getpid());
    Execute(options, prepared, reports);
  }
  setpgid(command, command);
  Tell(reports, Change::Kind::kStarted, command);
  // This process must see the command's end, whatever is sent to all processes.
  for (const int ignored : {SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGTTIN, SIGTTOU})
    signal(ignored, SIG_IGN);
  g_command = command;
  signal(SIGHUP, PassHangup);
  sigset_t hangup;
  sigemptyset(&hangup);
  sigaddset(&hangup, SIGHUP);
  sigprocmask(SIG_UNBLOCK, &hangup, nullptr);
  for (;;) {
    int status = 0;
    if (waitpid(command, &status, WUNTRACED) < 0) {
      if (errno == EINTR) continue;
      _exit(126);
    }
    if (WIFSTOPPED(status)) {
      Tell(reports, Change::Kind::kStopped, status);
      continue;
    }
    // The kernel hangs up the foreground group when this process ends: it shall be this one's own,
    // not that of what the command left running.
    tcsetpgrp(options.input, getpgrp());
    Tell(reports, Change::Kind::kEnded, status);
    _exit(0);
  }
}

absl::Status Unavailable(const char* what, int error) {
  return absl::UnavailableError(absl::StrCat(what, ": ", std::generic_category().message(error)));
}

}  // namespace

absl::StatusOr<Launch> Launch::Start(const LaunchOptions& options) {
  const Prepared prepared = Prepare(options);
  std::array<int, 2> reports{};
  if (pipe2(reports.data(), O_CLOEXEC) != 0) return Unavailable("no pipe can be made", errno);
  const pid_t process = fork();
  if (process == 0) {
    close(reports[0]);
    if (options.has_session) LeadSession(options, prepared, reports[1]);
    Execute(options, prepared, reports[1]);
  }
  const int error = errno;
  close(reports[1]);
  if (process < 0) {
    close(reports[0]);
    return Unavailable("no process can be started", error);
  }
  fcntl(reports[0], F_SETFL, O_NONBLOCK);
  return Launch(process, reports[0], options.has_session);
}

Launch::Launch(Launch&& other) noexcept
    : process_(std::exchange(other.process_, -1)),
      reports_(std::exchange(other.reports_, -1)),
      has_session_(other.has_session_),
      is_over_(other.is_over_) {}

Launch::~Launch() {
  if (reports_ >= 0) close(reports_);
}

std::optional<Change> Launch::NextChange() {
  if (is_over_) return std::nullopt;
  if (reports_ >= 0) {
    Change change;
    const ssize_t size = read(reports_, &change, sizeof(change));
    if (size == static_cast<ssize_t>(sizeof(change))) {
      is_over_ = change.kind == Change::Kind::kEnded || change.kind == Change::Kind::kNotExecuted;
      if (is_over_) waitpid(process_, nullptr, 0);
      return change;
    }
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) {
      if (has_session_ || errno == EINTR) return std::nullopt;
    } else {
      // Executed, or the session's first process has gone.
      close(std::exchange(reports_, -1));
      if (!has_session_) return Change{Change::Kind::kStarted, process_};
    }
  }
  int status = 0;
  const pid_t ended = waitpid(process_, &status, has_session_ ? 0 : WNOHANG);
  if (ended == 0) return std::nullopt;
  is_over_ = true;
  // A session's first process that ended without a report was killed, and the command with it.
  if (ended < 0 || has_session_) status = SIGKILL;
  return Change{Change::Kind::kEnded, status};
}

}  // namespace cudadoctor

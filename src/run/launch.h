// run/launch.h: starts a process and tells what becomes of it.
#ifndef CUDADOCTOR_RUN_LAUNCH_H_
#define CUDADOCTOR_RUN_LAUNCH_H_

#include <sys/types.h>

#include <csignal>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace cudadoctor {

struct LaunchOptions {
  std::vector<std::string> arguments;  // the program first, looked for on PATH
  std::vector<std::pair<std::string, std::string>> environment;  // besides and before our own
  int input = 0;  // descriptors that become the standard streams
  int output = 1;
  int error = 2;
  // A session of its own, with `input`, a terminal, as controlling terminal. The command then has a
  // parent in that session that survives it, so that Ctrl-Z stops it and the end of it does not
  // hang up the terminal of what it left in the background.
  bool has_session = false;
  std::vector<int> close = {};  // what the session's parent must not keep open
  sigset_t signal_mask = {};    // of the command
};

// What has become of a command.
struct Change {
  enum class Kind { kStarted, kNotExecuted, kStopped, kEnded };
  Kind kind = Kind::kStarted;
  int value = 0;  // kStarted: its pid; kNotExecuted: an errno; otherwise a status as of waitpid
};

// A command that was started.
class Launch {
 public:
  // Errors: kUnavailable, no process or pipe could be made.
  static absl::StatusOr<Launch> Start(const LaunchOptions& options);
  Launch(Launch&& other) noexcept;
  Launch& operator=(Launch&&) = delete;
  ~Launch();

  // Becomes readable when there may be a change; SIGCHLD says so as well.
  int descriptor() const { return reports_; }

  // The next change, without waiting; call until there is none. The last one is kNotExecuted or
  // kEnded.
  std::optional<Change> NextChange();

 private:
  Launch(pid_t process, int reports, bool has_session)
      : process_(process), reports_(reports), has_session_(has_session) {}

  pid_t process_;  // the command, or its parent in the session
  int reports_;    // written by the command until it executes, and by that parent
  const bool has_session_;
  bool is_over_ = false;
};

}  // namespace cudadoctor

#endif  // CUDADOCTOR_RUN_LAUNCH_H_

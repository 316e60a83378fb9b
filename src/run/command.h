// run/command.h: runs one command as if we were not there, and sees its output.
#ifndef CUDADOCTOR_RUN_COMMAND_H_
#define CUDADOCTOR_RUN_COMMAND_H_

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace cudadoctor {

// The state of a command that is asked for now and then.
struct CommandTick {
  int process = 0;  // its pid
  // The terminal is ours to draw on: we are in its foreground, and the command has not taken it
  // over (no echo, no lines, no line ends of its own).
  bool may_draw = false;
};

struct CommandOptions {
  std::vector<std::string> arguments;  // at least one; the program first, looked for on PATH
  std::vector<std::pair<std::string, std::string>> environment;  // set besides ours
  // Takes each piece of output, in order, to be written to `descriptor`, our own standard output or
  // standard error. It is called only when that takes more, so that a reader who is slow delays no
  // signal. False: nobody reads there any more, and the command is to notice.
  std::function<bool(int descriptor, std::string_view bytes)> on_output;
  // Called about every `tick` while the command runs.
  std::function<void(const CommandTick&)> on_tick;
  // Called before we stop with the command (Ctrl-Z), and once when it has ended: what was drawn
  // must go.
  std::function<void()> on_pause;
  std::chrono::milliseconds tick{100};
};

struct CommandEnd {
  bool is_started = true;
  int status = 0;          // as a shell has it: 128 + signal, 126 and 127 when it did not start
  std::string reason;      // why it did not start, for people
  bool has_reader = true;  // on_output never said false
  // Someone wanted it to end: the keys for it (Ctrl-C, Ctrl-\), or a signal to us. Its status need
  // not tell: pip ends with 1.
  bool is_interrupted = false;
};

// Runs a command to its end. Its standard streams are terminals where ours are (run/streams.h);
// size changes, keys and stops go through; SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1 and SIGUSR2
// that someone sends to us are sent on, once, to all processes of the command, those that a
// terminal sent to it already are not. What it left running in the background is not waited for.
// The terminal is left as it was (run/terminal.h).
// Not for two threads at once: signals are the process's.
// Errors: kUnavailable, no process or pipe could be made.
absl::StatusOr<CommandEnd> RunCommand(const CommandOptions& options);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_RUN_COMMAND_H_

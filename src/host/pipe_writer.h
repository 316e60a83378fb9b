// host/pipe_writer.h: the command at the other end of a pipe.
#ifndef CUDADOCTOR_HOST_PIPE_WRITER_H_
#define CUDADOCTOR_HOST_PIPE_WRITER_H_

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/environment.h"

namespace cudadoctor {

// A command that runs, as /proc tells it.
struct PipeWriter {
  // As they were typed where that can be told: of a script that an interpreter runs (python
  // /venv/bin/pip) the script's name, with its path where another one comes first in its PATH.
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>> environment;

  std::optional<std::string> Variable(std::string_view name) const;

  // The variables that are not as they are in this process, which the same shell started: those
  // that were typed in front of the command.
  std::vector<std::pair<std::string, std::string>> OwnVariables(const Environment& ours) const;
};

// Finds out which command a shell runs into our end of a pipe: "pip install x 2>&1 | cudadoctor",
// also through tee, in a group of commands ({ a; b; }), and below time, env, nice and their like.
// Reads /proc of the shell's children; starts nothing. What is somebody else's, as below sudo,
// cannot be seen.
class PipeWriterWatch {
 public:
  // Of all that runs there, only what `is_command` accepts is kept.
  using Filter = std::function<bool(const std::vector<std::string>& arguments)>;

  // `descriptor` is read by this process and stays the caller's; `shell` is the process that
  // started it and the writer.
  PipeWriterWatch(int descriptor, int shell, Filter is_command);

  // Looks again, after a few times at most every 100 ms, so that it may be called for each block
  // that is read.
  void Look();

  // The command that was seen; nothing when none was, or when it was several: which of them
  // wrote what cannot be told.
  std::optional<PipeWriter> Writer() const;

 private:
  void LookNow();

  std::string pipe_;  // "pipe:[4711]"; empty when the descriptor is none
  int shell_;
  Filter is_command_;
  std::chrono::steady_clock::time_point next_look_;
  int looks_ = 0;
  int last_pid_ = 0;
  std::vector<PipeWriter> seen_;
};

}  // namespace cudadoctor

#endif  // CUDADOCTOR_HOST_PIPE_WRITER_H_

#include "host/program.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <thread>

namespace cudadoctor {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kMaxOutputBytes = 64 << 10;

// Starts the program with `output` as its standard output and error; 0 when that fails.
pid_t Start(const std::vector<std::string>& arguments, int output) {
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // A group of its own, so that its children end with it; signals as a shell would leave them.
  sigset_t none, pipe;
  sigemptyset(&none);
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &pipe);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  if (posix_spawn(&child, argv[0], &actions, &attributes, argv.data(), environ) != 0) child = 0;
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return child;
}

// Appends what comes until the end of `input` (true) or until `deadline`.
bool ReadUntil(int input, Clock::time_point deadline, std::string& output) {
  char block[4096];
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return false;
    pollfd ready = {input, POLLIN, 0};
    const int count = poll(&ready, 1, static_cast<int>(left.count()));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    const ssize_t bytes = read(input, block, sizeof block);
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes <= 0) return true;
    const size_t room = kMaxOutputBytes - output.size();
    output.append(block, std::min(room, static_cast<size_t>(bytes)));
  }
}

// Whether `child` has ended by `deadline`; it is reaped then. POSIX has no wait with a time limit.
bool Ended(pid_t child, Clock::time_point deadline, int& wait_status) {
  for (;;) {
    const pid_t ended = waitpid(child, &wait_status, WNOHANG);
    if (ended == child) return true;
    // Where whoever started this process had it ignore SIGCHLD, there is nothing to reap.
    if (ended < 0 && errno != EINTR) return true;
    if (Clock::now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace

ProgramResult RunProgram(const std::vector<std::string>& arguments,
                         std::chrono::milliseconds limit) {
  ProgramResult result;
  const Clock::time_point deadline = Clock::now() + limit;
  int ends[2];
  if (arguments.empty() || pipe2(ends, O_CLOEXEC) != 0) return result;
  const pid_t child = Start(arguments, ends[1]);
  close(ends[1]);
  if (child > 0) {
    int status = 0;
    if (ReadUntil(ends[0], deadline, result.output) && Ended(child, deadline, status)) {
      result.end = WIFEXITED(status) ? ProgramResult::End::kExited : ProgramResult::End::kKilled;
      result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    } else {
      result.end = ProgramResult::End::kNoAnswer;
      kill(-child, SIGKILL);
      // Reaps what dies at once; what does not is stuck in the kernel.
      Ended(child, Clock::now() + std::chrono::milliseconds(20), status);
    }
  }
  close(ends[0]);
  return result;
}

}  // namespace cudadoctor

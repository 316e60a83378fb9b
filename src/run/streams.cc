#include "run/streams.h"

#include <sys/stat.h>
#include <unistd.h>

#include "run/terminal.h"

namespace cudadoctor {
namespace {

StreamKind KindOf(int descriptor) {
  if (isatty(descriptor) == 1) return StreamKind::kTerminal;
  struct stat status;
  if (fstat(descriptor, &status) != 0) return StreamKind::kFile;
  return S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) ? StreamKind::kPipe
                                                              : StreamKind::kFile;
}

}  // namespace

OwnStreams LookAtOwnStreams() {
  OwnStreams own;
  own.input = KindOf(STDIN_FILENO);
  own.output = KindOf(STDOUT_FILENO);
  own.error = KindOf(STDERR_FILENO);
  struct stat output, error;
  own.is_error_output = fstat(STDOUT_FILENO, &output) == 0 && fstat(STDERR_FILENO, &error) == 0 &&
                        output.st_dev == error.st_dev && output.st_ino == error.st_ino;
  own.is_background = own.input == StreamKind::kTerminal && !IsForeground(STDIN_FILENO);
  return own;
}

StreamPlan PlanStreams(const OwnStreams& own) {
  StreamPlan plan;
  const bool is_output_terminal = own.output == StreamKind::kTerminal;
  const bool is_error_terminal = own.error == StreamKind::kTerminal;
  plan.has_session = is_output_terminal && own.input == StreamKind::kTerminal && !own.is_background;
  plan.output = is_output_terminal ? Channel::kTerminal : Channel::kPipe;
  if (is_output_terminal && is_error_terminal) {
    plan.error = Channel::kWithOutput;
  } else if (is_error_terminal) {
    plan.error = Channel::kTerminal;
  } else if (is_output_terminal) {
    plan.error = Channel::kPipe;
  } else {
    const bool are_pipes = own.output == StreamKind::kPipe && own.error == StreamKind::kPipe;
    plan.error = own.is_error_output || are_pipes ? Channel::kWithOutput : Channel::kPipe;
  }
  return plan;
}

}  // namespace cudadoctor

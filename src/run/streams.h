// run/streams.h: through what a command's streams go, so that it sees what it would see without us.
#ifndef CUDADOCTOR_RUN_STREAMS_H_
#define CUDADOCTOR_RUN_STREAMS_H_

namespace cudadoctor {

enum class StreamKind {
  kTerminal,
  kPipe,  // or a socket
  kFile,  // or a device such as /dev/null
};

// What our own standard streams are.
struct OwnStreams {
  StreamKind input = StreamKind::kFile;
  StreamKind output = StreamKind::kFile;
  StreamKind error = StreamKind::kFile;
  bool is_error_output = false;  // both are the same file, pipe or terminal
  bool is_background = false;    // the terminal belongs to another process group now
};

// How the command gets its output to us.
enum class Channel {
  kTerminal,    // a pseudo-terminal
  kPipe,        // a pipe of its own
  kWithOutput,  // standard error only: wherever standard output goes, so that the order is kept
};

struct StreamPlan {
  Channel output = Channel::kPipe;
  Channel error = Channel::kWithOutput;
  // The command gets a session with the pseudo-terminal as its controlling terminal and as its
  // standard input; keys are passed to it as bytes. Otherwise it stays in our process group, with
  // our standard input and our terminal, if any, as its own.
  bool has_session = false;
};

OwnStreams LookAtOwnStreams();

// A stream that is a terminal stays one. Standard input is a pseudo-terminal only where standard
// output is one too: in a pipeline the terminal may be used by another member (`less`). Two pipes
// become one, to standard output, for the order; where standard error was given a file of its own,
// or one of the two is a terminal, they stay apart.
StreamPlan PlanStreams(const OwnStreams& own);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_RUN_STREAMS_H_

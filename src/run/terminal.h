// run/terminal.h: the terminal that someone sits at.
#ifndef CUDADOCTOR_RUN_TERMINAL_H_
#define CUDADOCTOR_RUN_TERMINAL_H_

#include <sys/ioctl.h>
#include <termios.h>

#include <optional>

namespace cudadoctor {

// The size of the terminal `descriptor`, or nothing when it does not tell.
std::optional<winsize> WindowSize(int descriptor);

// Whether `descriptor` is a terminal, and this process may use it now: it is not in the background.
bool IsForeground(int descriptor);

// Puts a terminal into raw mode, in which it gives every key as a byte and changes none, and back,
// also when the process exits or is ended by a signal, a crash included; SIGKILL alone leaves it
// raw. While it lives, the signals that end a process by default and have no other handler have
// one that restores the terminal and lets the signal have its effect. One at a time.
class RawTerminal {
 public:
  // `descriptor` must be a terminal. Keeps its present settings.
  explicit RawTerminal(int descriptor);
  ~RawTerminal();
  RawTerminal(const RawTerminal&) = delete;  // the handlers know one
  RawTerminal& operator=(const RawTerminal&) = delete;

  // Does nothing in the background, where the terminal is another's.
  void SetRaw();
  void Restore();
  bool is_raw() const { return is_raw_; }

  // As they were before raw mode.
  const termios& settings() const { return settings_; }

 private:
  const int descriptor_;
  termios settings_{};
  bool is_raw_ = false;
};

}  // namespace cudadoctor

#endif  // CUDADOCTOR_RUN_TERMINAL_H_

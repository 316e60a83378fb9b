// run/quiet_line.h: a line of our own on the terminal while a command prints nothing new.
#ifndef CUDADOCTOR_RUN_QUIET_LINE_H_
#define CUDADOCTOR_RUN_QUIET_LINE_H_

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "run/cursor_watch.h"

namespace cudadoctor {

// Draws on the line below the command's last one, or on that line when it is empty, and returns the
// cursor to where the command left it. The line is there only where nothing of the command's can
// be, and is erased before the command prints what could reach it; a spinner or bar that redraws
// its own lines leaves it standing. Nothing but text and cursor movements is written, no colours.
class QuietLine {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // How long nothing new must have been printed; shorter pauses are part of any build.
  static constexpr std::chrono::seconds kQuiet{5};
  // How long nothing at all must have been printed, a spinner included: what comes in pieces is
  // complete then.
  static constexpr std::chrono::milliseconds kSettled{50};

  // `write` takes bytes for the terminal.
  QuietLine(std::function<void(std::string_view)> write, Time now)
      : write_(std::move(write)), last_output_(now), last_news_(now) {}

  // Call before `bytes` of the command are written to the terminal, which has `width` columns.
  void BeforeOutput(std::string_view bytes, int width, Time now);

  // Whether it is time to draw.
  bool IsDue(Time now) const;

  // Draws `text`, shorter than the terminal is wide, in place of what is drawn; call only when
  // IsDue.
  void Draw(const std::string& text);

  // Erases what was drawn, if anything was.
  void Erase();

 private:
  const std::function<void(std::string_view)> write_;
  CursorWatch cursor_;
  Time last_output_;
  Time last_news_;
  std::string drawn_;
  bool is_below_ = false;  // where it was drawn: below the cursor's line, or on it
};

}  // namespace cudadoctor

#endif  // CUDADOCTOR_RUN_QUIET_LINE_H_

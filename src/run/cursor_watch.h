// run/cursor_watch.h: what a program's output did to the terminal, as far as it can be told without
// being the terminal.
#ifndef CUDADOCTOR_RUN_CURSOR_WATCH_H_
#define CUDADOCTOR_RUN_CURSOR_WATCH_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace cudadoctor {

// Follows output that is written to a terminal, split anywhere. It knows whether the cursor stands
// in the last line that has content, and errs towards "no": a program that places its cursor
// freely, keeps positions, sets a scroll region or uses the alternate screen is left alone.
class CursorWatch {
 public:
  // What some output did.
  struct Effect {
    bool stays_above = true;  // nothing below the line that was the last one was touched
    int new_rows = 0;         // lines that were begun below it
    int widest = 0;           // an upper bound of the columns that a line of it reached
  };

  Effect Feed(std::string_view bytes);

  // Whether one line below the cursor's (or the cursor's own, when IsAtEmptyLine) is free and
  // stays so until more output comes, on a terminal of `width` columns.
  bool HasFreeLine(int width) const;

  // Whether the cursor is in the first column of a line without content. The start of the output
  // does not count: what stands there is not known.
  bool IsAtEmptyLine() const { return is_line_empty_ && column_ == 0; }

 private:
  enum class State { kText, kEscape, kSequence, kCharset, kString, kStringEscape };

  void TakeText(unsigned char byte, Effect& effect);
  void TakeEscape(unsigned char byte, Effect& effect);
  void TakeSequence(char final, Effect& effect);
  void TakeMode(bool is_set);
  void NewRow(Effect& effect);
  void LosePosition(Effect& effect);

  State state_ = State::kText;
  std::string parameters_;        // of the control sequence that is being read
  int64_t rows_below_ = 0;        // that may have content, below the cursor's
  int column_ = 0;                // an upper bound
  bool is_line_empty_ = false;    // the cursor's line
  bool is_plain_ = true;          // no colour is on
  bool is_alternate_ = false;     // alternate screen
  bool is_synchronized_ = false;  // between the marks of a synchronized update
  bool keeps_positions_ = false;  // saved its cursor, or set a scroll region
};

}  // namespace cudadoctor

#endif  // CUDADOCTOR_RUN_CURSOR_WATCH_H_

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
  };

  // `width` is the terminal's, in columns; a line that is longer goes on in the next row.
  Effect Feed(std::string_view bytes, int width);

  // Whether one row below the cursor's (or the cursor's own, when IsAtEmptyLine) is free and stays
  // so until more output comes.
  bool HasFreeRow() const;

  // Whether the last character filled the row, so that the next one begins the next: a state of the
  // terminal that moving the cursor ends and printing the character, a blank, again restores.
  bool IsRowFull() const { return column_ >= width_; }

  // Whether the cursor is in the first column of a line without content. The start of the output
  // does not count: what stands there is not known.
  bool IsAtEmptyLine() const { return is_line_empty_ && column_ == 0; }

 private:
  enum class State { kText, kEscape, kSequence, kCharset, kString, kStringEscape };

  void TakeText(unsigned char byte, Effect& effect);
  void TakeCharacter(uint32_t character, Effect& effect);
  void MoveTo(int column);
  void TakeEscape(unsigned char byte, Effect& effect);
  void TakeSequence(char final, Effect& effect);
  void TakeMode(bool is_set);
  void NewRow(Effect& effect);
  void LosePosition(Effect& effect);

  State state_ = State::kText;
  std::string parameters_;  // of the control sequence that is being read
  int64_t rows_below_ = 0;  // that may have content, below the cursor's
  int width_ = 80;
  int column_ = 0;                // from 0; width_ when the row is full
  int slack_ = 0;                 // by how much column_ may be too small: wide characters
  bool is_blank_ = false;         // the last character was a blank without colours
  uint32_t character_ = 0;        // UTF-8 that is being read
  int bytes_left_ = 0;            // of it
  bool is_line_empty_ = false;    // the cursor's line
  bool is_plain_ = true;          // no colour is on
  bool is_alternate_ = false;     // alternate screen
  bool is_synchronized_ = false;  // between the marks of a synchronized update
  bool keeps_positions_ = false;  // saved its cursor, or set a scroll region
};

}  // namespace cudadoctor

#endif  // CUDADOCTOR_RUN_CURSOR_WATCH_H_

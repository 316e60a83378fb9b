// text/line.h: one raw line to the text that a tool printed.
#ifndef CUDADOCTOR_TEXT_LINE_H_
#define CUDADOCTOR_TEXT_LINE_H_

#include <string>
#include <string_view>
#include <vector>

namespace cudadoctor {

// A raw line without what surrounds the tool's own text.
struct CleanLine {
  std::string text;          // valid UTF-8, no control characters, no blanks at either end
  int indent = 0;            // blanks between the gutter, if any, and the text
  int gutters = 0;           // gutter marks of pip's and uv's trees that were removed
  bool starts_node = false;  // the gutter begins a new message of a tree ("╰─▶ ", "├─▶ ")
  std::string stream;        // see Dress
  bool is_foreign = false;
  bool is_name = false;  // pytest's name of a test, which may quote any message, with its result
  bool is_cut = false;   // the raw line was longer than kMaxLineBytes
};

// What is looked at of a line.
inline constexpr size_t kMaxLineBytes = 16 << 10;

// Cuts `line` to kMaxLineBytes, between two words where it has some there.
void Cut(CleanLine& line);

// `raw` has no '\n'; what is more than a margin longer than kMaxLineBytes is dropped, for Cut to
// find whole words. Of a line that was redrawn by carriage returns the last non-empty state is
// kept; ANSI, OSC and APC sequences are removed, also those whose escape character was lost or
// shown as an arrow; tabs become blanks.
CleanLine Clean(std::string_view raw);

// What of a raw line a terminal shows, every state of a redrawn line included with its '\r'.
struct VisibleText {
  std::string text;          // not always valid UTF-8
  std::vector<size_t> from;  // the raw byte of each byte of `text`
};
VisibleText VisibleOf(std::string_view raw);

// `text` without control characters and sequences, as valid UTF-8, and otherwise as it is: for
// names and messages, which a terminal must not obey either.
std::string Printable(std::string_view text);

// Whether `next` may be the rest of a sentence of `line` that was wrapped: a necessary condition,
// told by their structure alone.
bool MayContinue(const CleanLine& line, const CleanLine& next);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_TEXT_LINE_H_

// report/quote.h: text of a log, shortened to be quoted in a line of a report.
#ifndef CUDADOCTOR_REPORT_QUOTE_H_
#define CUDADOCTOR_REPORT_QUOTE_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "model/report.h"

namespace cudadoctor {

// What valid UTF-8 takes on a terminal: two columns for a Chinese character, none for a combining
// one.
size_t Columns(std::string_view text);

// At most `columns` columns of valid UTF-8, the last one an ellipsis where there are more.
std::string Cut(std::string_view text, size_t columns);

// The same in bytes: at most `bytes`, cut between characters; 3 or more.
std::string CutBytes(std::string_view text, size_t bytes);

// The text of `evidence` in at most `columns` columns: what fired far into a long line is shown
// from a little before it.
std::string Quote(const Evidence& evidence, size_t columns);

// `text` as one line: control characters and the line ends of Unicode (C0, DEL, C1, U+2028, U+2029)
// become blanks.
std::string OneLine(std::string_view text);

// The first bytes of `text`, at most `bytes`, that are whole characters.
std::string_view Prefix(std::string_view text, size_t bytes);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REPORT_QUOTE_H_

// engine/excerpts.h: the neighbourhood of chosen lines of a log.
#ifndef CUDADOCTOR_ENGINE_EXCERPTS_H_
#define CUDADOCTOR_ENGINE_EXCERPTS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/utf.h"

namespace cudadoctor {

// Lines that follow each other. Owns its strings.
struct LineRun {
  int64_t first_line = 0;          // 1-based raw line
  std::vector<std::string> lines;  // cleaned, but for the blanks at the start
};

// Takes a log's bytes, split anywhere, and keeps the lines around those that are wanted. Cost is
// that of finding line ends; only lines that are kept are cleaned, and are without credentials. Not
// thread-safe.
class ExcerptReader {
 public:
  // Keeps `around` lines before and after each of `wanted` (1-based raw lines, any order, repeats
  // allowed), each cut at a few kilobytes.
  ExcerptReader(const std::vector<int64_t>& wanted, int around);

  void Feed(std::string_view bytes);

  // Ends the log: what was kept, in the order of the log, neighbourhoods that touch as one.
  std::vector<LineRun> Finish();

 private:
  void Take(std::string_view decoded);
  void EndLine();
  void EndRange();

  std::vector<std::pair<int64_t, int64_t>> ranges_;  // of lines, both inclusive, rising and apart
  size_t range_ = 0;                                 // the first that is not finished
  int64_t line_ = 1;                                 // that is being read
  bool has_bytes_ = false;                           // of the line that is being read
  std::string partial_;                              // the kept part of the line that is being read
  std::string raw_;                                  // the lines of range_ and one on either side
  int64_t raw_line_ = 1;                             // the first of those
  std::vector<LineRun> runs_;
  StreamDecoder decoder_;
};

}  // namespace cudadoctor

#endif  // CUDADOCTOR_ENGINE_EXCERPTS_H_

// match/log_scanner.h: a stream of bytes to the matches in it.
#ifndef CUDADOCTOR_MATCH_LOG_SCANNER_H_
#define CUDADOCTOR_MATCH_LOG_SCANNER_H_

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "match/matcher.h"
#include "text/line.h"

namespace cudadoctor {

// Where patterns that are not frequent fire, the neighbourhood is looked at closely: every pattern
// is tested on each of its lines, as on the first and the last lines of the log. Elsewhere only
// lines that hold a word of a pattern are cleaned and matched.
//
// Keeps a window of the log and, of each pattern, its first and last matches: a log of any length
// takes the same memory. Not thread-safe.
class LogScanner {
 public:
  static constexpr int kHeadLines = 400;
  static constexpr int kTailLines = 400;
  static constexpr int kLinesBefore = 60;
  static constexpr int kLinesAfter = 40;
  static constexpr size_t kWindowBytes = size_t{4} << 20;
  static constexpr size_t kHistoryBytes = size_t{512} << 10;
  static constexpr int kFirstMatches = 24;  // kept of each pattern
  static constexpr int kLastMatches = 24;

  // `opens[p]` says whether a match of pattern p is reason to look closely at its neighbourhood.
  // Keeps references to both.
  LogScanner(const Matcher& matcher, const std::vector<bool>& opens);

  // The next bytes of the log, split anywhere.
  // Errors: those of Matcher::MatchText.
  absl::Status Feed(std::string_view bytes);

  // Ends the log. The matches, sorted by first_line, then pattern, then column.
  absl::StatusOr<std::vector<Match>> Finish();

  int64_t lines() const { return lines_; }

 private:
  struct KeptMatches {
    std::vector<Match> first;
    std::deque<Match> last;
  };

  // A cleaned line of the window, and where the next one begins.
  struct CachedLine {
    size_t begin = AtomScanner::npos;
    size_t next = 0;
    CleanLine line;
  };

  absl::Status Process(size_t end);
  absl::Status LookBack(size_t from);
  absl::Status MatchLine(size_t begin, int64_t line, bool candidates_only, bool& opened);
  absl::Status MatchCandidate(size_t begin, int64_t line, bool& opened);
  void Keep(Match match, const CleanLine& line, bool& opened);
  const CachedLine& LineAt(size_t begin);
  size_t NextLine(size_t begin) const;
  // Start of the line `count` lines before the one at `begin`, not before `floor`; `count` becomes
  // the number of lines gone back.
  size_t LinesBack(size_t begin, size_t floor, int& count) const;
  void DropHistory();

  const Matcher& matcher_;
  const std::vector<bool>& opens_;
  std::string window_;
  std::array<CachedLine, 8> cache_;
  size_t scanned_ = 0;            // up to here lines have been searched
  size_t close_until_ = 0;        // up to here lines have been looked at closely
  int64_t line_ = 1;              // number of the line at scanned_
  int lines_after_ = kHeadLines;  // so many more lines are looked at closely
  int64_t lines_ = 0;
  bool is_skipping_ = false;
  std::vector<KeptMatches> kept_;
  std::vector<Match> scratch_;
};

}  // namespace cudadoctor

#endif  // CUDADOCTOR_MATCH_LOG_SCANNER_H_

#include "match/log_scanner.h"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

#include "base/status_macros.h"
#include "redact/clean_log.h"

namespace cudadoctor {
namespace {

// Raw lines that one wrapped sentence may take.
constexpr int kMaxRejoinedLines = 6;

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
__attribute__((target_clones("avx2", "default")))
#endif
int64_t
CountNewlines(const char* begin, const char* end) {
  int64_t count = 0;
  for (; begin != end; ++begin) count += *begin == '\n';
  return count;
}

}  // namespace

LogScanner::LogScanner(const Matcher& matcher, const std::vector<bool>& opens)
    : matcher_(matcher), opens_(opens), kept_(matcher.patterns().size()) {}

absl::Status LogScanner::Feed(std::string_view bytes) {
  while (!bytes.empty()) {
    if (is_skipping_) {  // the rest of a line that is too long to be text
      const size_t newline = bytes.find('\n');
      if (newline == std::string_view::npos) return absl::OkStatus();
      bytes.remove_prefix(newline);
      is_skipping_ = false;
    }
    const size_t room = window_.size() < kWindowBytes ? kWindowBytes - window_.size() : 0;
    const size_t taken = std::min(bytes.size(), std::max(room, size_t{1} << 16));
    window_.append(bytes.substr(0, taken));
    bytes.remove_prefix(taken);
    if (window_.size() < kWindowBytes) continue;
    const size_t newline = window_.rfind('\n');
    const size_t end = newline == std::string::npos ? 0 : newline + 1;
    // Lines whose continuation is not here yet wait for it.
    int margin = kMaxRejoinedLines;
    const size_t safe = LinesBack(end, scanned_, margin);
    RETURN_IF_ERROR(Process(safe > scanned_ ? safe : std::max(end, scanned_)));
    DropHistory();
    if (const size_t last = window_.rfind('\n') + 1; window_.size() - last > kWindowBytes / 2) {
      window_.resize(last + 2 * kMaxLineBytes);
      is_skipping_ = true;
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Match>> LogScanner::Finish() {
  if (!window_.empty() && window_.back() != '\n') window_.push_back('\n');
  const size_t end = window_.size();
  RETURN_IF_ERROR(Process(end));
  int tail = kTailLines;
  RETURN_IF_ERROR(LookBack(LinesBack(end, close_until_, tail)));
  lines_ = line_ - 1;

  std::vector<Match> matches;
  for (KeptMatches& kept : kept_) {
    std::move(kept.first.begin(), kept.first.end(), std::back_inserter(matches));
    std::move(kept.last.begin(), kept.last.end(), std::back_inserter(matches));
  }
  const auto place = [](const Match& match) {
    return std::tie(match.first_line, match.pattern, match.column);
  };
  std::stable_sort(matches.begin(), matches.end(),
                   [&](const Match& a, const Match& b) { return place(a) < place(b); });
  const auto same = [&](const Match& a, const Match& b) { return place(a) == place(b); };
  matches.erase(std::unique(matches.begin(), matches.end(), same), matches.end());
  return matches;
}

absl::Status LogScanner::Process(size_t end) {
  const std::string_view view = std::string_view(window_).substr(0, end);
  while (scanned_ < end) {
    if (lines_after_ > 0) {
      bool opened = false;
      if (scanned_ >= close_until_)
        RETURN_IF_ERROR(MatchLine(scanned_, line_, /*candidates_only=*/false, opened));
      scanned_ = NextLine(scanned_);
      close_until_ = std::max(close_until_, scanned_);
      ++line_;
      lines_after_ = opened ? std::max(lines_after_ - 1, kLinesAfter) : lines_after_ - 1;
      continue;
    }
    const size_t hit = matcher_.candidates().Find(view, scanned_);
    if (hit == AtomScanner::npos) {
      line_ += CountNewlines(view.data() + scanned_, view.data() + end);
      scanned_ = end;
      break;
    }
    const auto* newline =
        static_cast<const char*>(memrchr(view.data() + scanned_, '\n', hit - scanned_));
    const size_t begin = newline == nullptr ? scanned_ : newline + 1 - view.data();
    line_ += CountNewlines(view.data() + scanned_, view.data() + begin);
    scanned_ = begin;
    bool opened = false;
    RETURN_IF_ERROR(MatchCandidate(begin, line_, opened));
    if (opened) {
      int before = kLinesBefore;
      RETURN_IF_ERROR(LookBack(LinesBack(begin, close_until_, before)));
      lines_after_ = kLinesAfter + 1;
    } else {
      scanned_ = NextLine(begin);
      ++line_;
    }
  }
  return absl::OkStatus();
}

// Looks closely at the lines from `from` up to where the search stands.
absl::Status LogScanner::LookBack(size_t from) {
  from = std::max(from, close_until_);
  int64_t line =
      line_ - CountNewlines(window_.data() + from, window_.data() + std::max(from, scanned_));
  for (size_t begin = from; begin < scanned_; begin = NextLine(begin)) {
    bool opened = false;
    RETURN_IF_ERROR(MatchLine(begin, line++, /*candidates_only=*/false, opened));
  }
  close_until_ = std::max(close_until_, scanned_);
  return absl::OkStatus();
}

// The line at `begin` holds a word of a pattern; the message may begin some lines before.
absl::Status LogScanner::MatchCandidate(size_t begin, int64_t line, bool& opened) {
  RETURN_IF_ERROR(MatchLine(begin, line, /*candidates_only=*/true, opened));
  size_t start = begin;
  for (int back = 1; back < kMaxRejoinedLines && !opened; ++back) {
    int one = 1;
    const size_t previous = LinesBack(start, 0, one);
    if (previous == start) break;
    const CleanLine earlier = LineAt(previous).line;
    if (!MayContinue(earlier, LineAt(start).line)) break;
    start = previous;
    RETURN_IF_ERROR(MatchLine(start, line - back, /*candidates_only=*/true, opened));
  }
  return absl::OkStatus();
}

absl::Status LogScanner::MatchLine(size_t begin, int64_t line, bool candidates_only, bool& opened) {
  const CachedLine first = LineAt(begin);
  if (first.line.text.empty() || first.line.is_name) return absl::OkStatus();
  scratch_.clear();
  RETURN_IF_ERROR(
      matcher_.MatchText(first.line.text, first.line.text.size(), candidates_only, scratch_));
  for (Match& match : scratch_) match.first_line = match.last_line = line;

  std::string joined = first.line.text;
  std::vector<size_t> ends = {joined.size()};
  CleanLine last = first.line;
  for (size_t next = first.next; next < window_.size() && ends.size() < kMaxRejoinedLines;) {
    const CachedLine& following = LineAt(next);
    if (!MayContinue(last, following.line) ||
        joined.size() + 1 + following.line.text.size() > kMaxLineBytes)
      break;
    joined.append(" ").append(following.line.text);
    ends.push_back(joined.size());
    last = following.line;
    next = following.next;
  }
  if (ends.size() > 1) {
    const size_t alone = scratch_.size();
    RETURN_IF_ERROR(matcher_.MatchText(joined, first.line.text.size(), candidates_only, scratch_));
    for (size_t i = alone; i < scratch_.size(); ++i) {
      Match& match = scratch_[i];
      const auto covered =
          std::lower_bound(ends.begin(), ends.end(), match.column - 1 + match.length);
      match.first_line = line;
      match.last_line = line + static_cast<int>(covered - ends.begin());
      match.text.resize(std::min(match.text.size(), *covered));
    }
  }
  for (Match& match : scratch_) Keep(std::move(match), first.line, opened);
  return absl::OkStatus();
}

void LogScanner::Keep(Match match, const CleanLine& line, bool& opened) {
  opened = opened || opens_[match.pattern];
  match.stream = line.stream;
  match.is_foreign = line.is_foreign;
  match.is_cut = match.is_cut || line.is_cut;
  KeptMatches& kept = kept_[match.pattern];
  if (kept.first.size() < kFirstMatches) {
    kept.first.push_back(std::move(match));
    return;
  }
  kept.last.push_back(std::move(match));
  if (kept.last.size() > kLastMatches) kept.last.pop_front();
}

const LogScanner::CachedLine& LogScanner::LineAt(size_t begin) {
  CachedLine& cached = cache_[begin % cache_.size()];
  if (cached.begin != begin) {
    cached.begin = begin;
    cached.next = NextLine(begin);
    cached.line = CleanWithoutCredentials(window_, begin);
  }
  return cached;
}

size_t LogScanner::NextLine(size_t begin) const {
  const size_t newline = window_.find('\n', begin);
  return newline == std::string::npos ? window_.size() : newline + 1;
}

size_t LogScanner::LinesBack(size_t begin, size_t floor, int& count) const {
  int gone = 0;
  while (gone < count && begin > floor) {
    const auto* newline =
        begin < 2 ? nullptr : static_cast<const char*>(memrchr(window_.data(), '\n', begin - 1));
    const size_t previous = newline == nullptr ? 0 : newline + 1 - window_.data();
    if (previous < floor) break;
    begin = previous;
    ++gone;
  }
  count = gone;
  return begin;
}

void LogScanner::DropHistory() {
  if (scanned_ <= kHistoryBytes) return;
  size_t drop = scanned_ - kHistoryBytes;
  drop = NextLine(drop);
  if (drop > scanned_) return;
  window_.erase(0, drop);
  scanned_ -= drop;
  close_until_ = close_until_ > drop ? close_until_ - drop : 0;
  for (CachedLine& cached : cache_) cached.begin = AtomScanner::npos;
}

}  // namespace cudadoctor

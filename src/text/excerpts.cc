#include "text/excerpts.h"

#include <algorithm>

#include "text/line.h"

namespace cudadoctor {
namespace {

constexpr size_t kMaxKeptBytes = 4 << 10;
constexpr int kMaxIndent = 40;

}  // namespace

ExcerptReader::ExcerptReader(const std::vector<int>& wanted, int around) {
  std::vector<int> sorted = wanted;
  std::sort(sorted.begin(), sorted.end());
  for (const int line : sorted) {
    const int first = std::max(line - around, 1);
    if (ranges_.empty() || ranges_.back().second + 1 < first) {
      ranges_.emplace_back(first, line + around);
    } else {
      ranges_.back().second = line + around;
    }
  }
  is_kept_ = !ranges_.empty() && ranges_.front().first == 1;
}

void ExcerptReader::Feed(std::string_view bytes) { Take(decoder_.Decode(bytes)); }

std::vector<LineRun> ExcerptReader::Finish() {
  Take(decoder_.Flush());
  if (has_bytes_) EndLine();
  return std::move(runs_);
}

void ExcerptReader::Take(std::string_view decoded) {
  while (!decoded.empty() && range_ < ranges_.size()) {
    const size_t end = decoded.find('\n');
    const std::string_view piece = decoded.substr(0, end);
    // Of a line that carriage returns redraw, the end is what stays.
    if (is_kept_ && partial_.size() < kMaxLineBytes) partial_.append(piece);
    has_bytes_ = has_bytes_ || !piece.empty();
    if (end == std::string_view::npos) return;
    has_bytes_ = true;
    EndLine();
    decoded.remove_prefix(end + 1);
  }
}

void ExcerptReader::EndLine() {
  if (is_kept_) {
    if (runs_.empty() ||
        runs_.back().first_line + static_cast<int>(runs_.back().lines.size()) != line_)
      runs_.push_back({line_, {}});
    const CleanLine line = Clean(partial_);
    std::string text =
        std::string(static_cast<size_t>(std::min(line.indent, kMaxIndent)), ' ') + line.text;
    if (text.size() > kMaxKeptBytes) {
      size_t end = kMaxKeptBytes;
      while ((text[end] & 0xC0) == 0x80) --end;
      text.resize(end);
      text.append("…");
    }
    runs_.back().lines.push_back(std::move(text));
  }
  partial_.clear();
  has_bytes_ = false;
  ++line_;
  if (range_ < ranges_.size() && ranges_[range_].second < line_) ++range_;
  is_kept_ = range_ < ranges_.size() && ranges_[range_].first <= line_;
}

}  // namespace cudadoctor

#include "engine/excerpts.h"

#include <algorithm>

#include "redact/clean_log.h"

namespace cudadoctor {
namespace {

constexpr size_t kMaxKeptBytes = 4 << 10;
constexpr size_t kMaxRawBytes = 2 * kMaxLineBytes;
constexpr int kMaxIndent = 40;

}  // namespace

ExcerptReader::ExcerptReader(const std::vector<int64_t>& wanted, int around) {
  std::vector<int64_t> sorted = wanted;
  std::sort(sorted.begin(), sorted.end());
  for (const int64_t line : sorted) {
    const int64_t first = std::max<int64_t>(line - around, 1);
    if (ranges_.empty() || ranges_.back().second + 1 < first) {
      ranges_.emplace_back(first, line + around);
    } else {
      ranges_.back().second = line + around;
    }
  }
}

void ExcerptReader::Feed(std::string_view bytes) { Take(decoder_.Decode(bytes)); }

std::vector<LineRun> ExcerptReader::Finish() {
  Take(decoder_.Flush());
  if (has_bytes_) EndLine();
  EndRange();
  return std::move(runs_);
}

void ExcerptReader::Take(std::string_view decoded) {
  while (!decoded.empty() && range_ < ranges_.size()) {
    const size_t end = decoded.find('\n');
    const std::string_view piece = decoded.substr(0, end);
    // A credential may have been wrapped into the lines on either side.
    const auto& [first, last] = ranges_[range_];
    if (line_ + 1 >= first && partial_.size() < kMaxRawBytes)
      partial_.append(piece.substr(0, kMaxRawBytes - partial_.size()));
    has_bytes_ = has_bytes_ || !piece.empty();
    if (end == std::string_view::npos) return;
    has_bytes_ = true;
    EndLine();
    decoded.remove_prefix(end + 1);
  }
}

void ExcerptReader::EndLine() {
  const auto& [first, last] = ranges_[range_];
  if (line_ + 1 >= first) {
    if (raw_.empty()) raw_line_ = line_;
    raw_.append(partial_).append("\n");
  }
  partial_.clear();
  has_bytes_ = false;
  ++line_;
  if (line_ > last + 1) EndRange();
}

void ExcerptReader::EndRange() {
  if (range_ >= ranges_.size()) return;
  const auto [first, last] = ranges_[range_++];
  LineRun run{first, {}};
  int64_t number = raw_line_;
  size_t last_begin = 0;
  for (size_t begin = 0; begin < raw_.size(); begin = raw_.find('\n', begin) + 1, ++number) {
    last_begin = begin;
    if (number < first || number > last) continue;
    const CleanLine line = CleanWithoutCredentials(raw_, begin);
    std::string text =
        std::string(static_cast<size_t>(std::min(line.indent, kMaxIndent)), ' ') + line.text;
    if (text.size() > kMaxKeptBytes) {
      size_t end = kMaxKeptBytes;
      while ((text[end] & 0xC0) == 0x80) --end;
      text.resize(end);
      text.append("…");
    }
    run.lines.push_back(std::move(text));
  }
  if (!run.lines.empty()) runs_.push_back(std::move(run));
  // The line behind one range may be the one before the next.
  const bool is_shared = range_ < ranges_.size() && ranges_[range_].first == line_;
  raw_ = is_shared ? raw_.substr(last_begin) : "";
  raw_line_ = line_ - 1;
}

}  // namespace cudadoctor

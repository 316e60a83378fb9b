#include "redact/log.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/views.h"
#include "redact/clean_log.h"
#include "redact/credentials.h"
#include "text/line.h"

namespace cudadoctor {
namespace {

// A longer line is taken in parts that end between two words.
constexpr size_t kMaxPartBytes = size_t{256} << 10;

// Lines that wait for those behind them, and that are kept for those.
constexpr int kWaiting = 6;
constexpr size_t kKeptBytes = size_t{64} << 10;

struct Replacement {
  Span span;
  std::string text;
};

// `raw` with what `find` says of its visible text, the bytes between being kept.
std::string Replace(std::string_view raw, const VisibleText& visible,
                    const std::vector<Replacement>& replacements) {
  std::string text;
  size_t done = 0;
  for (const Replacement& replacement : replacements) {
    const size_t begin = visible.from[replacement.span.begin];
    const size_t end = visible.from[replacement.span.end - 1] + 1;
    absl::StrAppend(&text, Absl(raw.substr(done, begin - done)), replacement.text);
    done = end;
  }
  return absl::StrCat(text, Absl(raw.substr(done)));
}

}  // namespace

template <typename Take>
absl::Status LogRedactor::ForEachLine(std::string_view decoded, const Take& take) {
  while (!decoded.empty()) {
    const size_t newline = decoded.find('\n');
    const size_t end = newline == std::string_view::npos ? decoded.size() : newline + 1;
    partial_.append(decoded.substr(0, end));
    decoded.remove_prefix(end);
    if (newline == std::string_view::npos && partial_.size() < kMaxPartBytes) continue;
    std::string rest;
    if (newline == std::string_view::npos) {
      const size_t blank = partial_.rfind(' ');
      if (blank != std::string::npos && blank > 0) {
        rest = partial_.substr(blank);
        partial_.resize(blank);
      }
    }
    RETURN_IF_ERROR(take(std::exchange(partial_, std::move(rest))));
  }
  return absl::OkStatus();
}

void LogRedactor::Learn(std::string_view bytes) {
  static_cast<void>(ForEachLine(learned_decoder_.Decode(bytes), [this](const std::string& line) {
    names_.Learn(VisibleOf(line).text);
    return absl::OkStatus();
  }));
}

void LogRedactor::EndLearning() {
  partial_.append(learned_decoder_.Flush());
  names_.Learn(VisibleOf(partial_).text);
  partial_.clear();
}

absl::Status LogRedactor::Feed(std::string_view bytes) {
  return ForEachLine(decoder_.Decode(bytes),
                     [this](const std::string& line) { return TakeLine(line); });
}

absl::Status LogRedactor::Finish() {
  partial_.append(decoder_.Flush());
  if (!partial_.empty()) RETURN_IF_ERROR(TakeLine(std::exchange(partial_, "")));
  while (waiting_ > 0) RETURN_IF_ERROR(WriteMiddle());
  return absl::OkStatus();
}

absl::Status LogRedactor::TakeLine(const std::string& line) {
  // A part of a line has no '\n' of its own; to its neighbours it is a line.
  lines_.append(line);
  ++waiting_;
  if (waiting_ <= kWaiting) return absl::OkStatus();
  return WriteMiddle();
}

// Writes the first of the lines that wait.
absl::Status LogRedactor::WriteMiddle() {
  const size_t newline = lines_.find('\n', written_);
  const size_t end = newline == std::string::npos ? lines_.size() : newline;
  const std::string_view raw = std::string_view(lines_).substr(written_, end - written_);
  const VisibleText visible = VisibleOf(raw);
  std::vector<Replacement> replacements;
  for (size_t begin = 0; begin < visible.text.size();) {  // each state of a redrawn line
    const size_t end = std::min(visible.text.find('\r', begin), visible.text.size());
    for (const Span& span :
         FindCredentials(std::string_view(visible.text).substr(begin, end - begin)))
      replacements.push_back({{begin + span.begin, begin + span.end}, std::string(kMask)});
    begin = end + 1;
  }
  // Of the line without its dress what its neighbours tell, too.
  const LineCredentials clean = CredentialsOfLine(lines_, written_);
  const size_t offset = visible.text.rfind(clean.line.text);
  if (offset != std::string::npos) {
    for (const Span& span : clean.spans)
      replacements.push_back({{offset + span.begin, offset + span.end}, std::string(kMask)});
  }
  for (const Person& person : names_.Find(visible.text)) {
    const std::string_view name =
        std::string_view(visible.text).substr(person.name, person.name_end - person.name);
    replacements.push_back(
        {{person.name, person.end},
         names_.Of(person.kind, name) + (person.kind == PersonKind::kEmail ? "@***" : "")});
  }
  std::stable_sort(
      replacements.begin(), replacements.end(),
      [](const Replacement& a, const Replacement& b) { return a.span.begin < b.span.begin; });
  std::vector<Replacement> apart;
  for (Replacement& replacement : replacements) {
    if (replacement.span.begin >= replacement.span.end) continue;
    if (apart.empty() || replacement.span.begin >= apart.back().span.end) {
      apart.push_back(std::move(replacement));
    } else if (replacement.span.end > apart.back().span.end) {
      apart.back().span.end = replacement.span.end;
      apart.back().text = kMask;
    }
  }
  std::string text = Replace(raw, visible, apart);
  const size_t next = newline == std::string::npos ? lines_.size() : newline + 1;
  text.append(lines_, end, next - end);
  written_ = next;
  waiting_ = std::max(waiting_ - 1, 0);
  if (written_ == lines_.size()) waiting_ = 0;
  if (written_ > kKeptBytes) {
    // The lines that a credential may begin in stay.
    size_t from = written_;
    for (int i = 0; i < kWaiting && from > 0; ++i) {
      const size_t before = from < 2 ? std::string::npos : lines_.rfind('\n', from - 2);
      from = before == std::string::npos ? 0 : before + 1;
    }
    lines_.erase(0, from);
    written_ -= from;
  }
  return write_(text);
}

}  // namespace cudadoctor

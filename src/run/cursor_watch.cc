#include "run/cursor_watch.h"

#include <algorithm>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"

namespace cudadoctor {
namespace {

// More rows than any terminal has: after a move to a place that is not known, so many lines must be
// begun until the last one with content is certainly the cursor's.
constexpr int64_t kManyRows = 1000;
constexpr int kTabColumns = 8;
constexpr size_t kMaxParameters = 64;
// Columns are only compared with a terminal's width.
constexpr int kMaxColumn = 1 << 20;

int FirstNumber(const std::string& parameters) {
  int number = 0;
  const std::string first = parameters.substr(0, parameters.find(';'));
  return absl::SimpleAtoi(first, &number) && number > 0 ? number : 0;
}

}  // namespace

bool CursorWatch::HasFreeLine(int width) const {
  return state_ == State::kText && rows_below_ == 0 && column_ < width && is_plain_ &&
         !is_alternate_ && !is_synchronized_ && !keeps_positions_;
}

CursorWatch::Effect CursorWatch::Feed(std::string_view bytes) {
  Effect effect{.widest = column_};
  for (const char byte : bytes) {
    switch (state_) {
      case State::kText:
        TakeText(static_cast<unsigned char>(byte), effect);
        break;
      case State::kEscape:
        TakeEscape(static_cast<unsigned char>(byte), effect);
        break;
      case State::kSequence:
        if (byte >= '\x40' && byte <= '\x7e') {
          state_ = State::kText;
          TakeSequence(byte, effect);
        } else if (parameters_.size() < kMaxParameters) {
          parameters_.push_back(byte);
        } else {
          LosePosition(effect);
        }
        break;
      case State::kCharset:
        state_ = State::kText;
        break;
      case State::kString:
        if (byte == '\x07') state_ = State::kText;
        if (byte == '\x1b') state_ = State::kStringEscape;
        break;
      case State::kStringEscape:
        state_ = byte == '\\' ? State::kText : State::kString;
        break;
    }
    effect.widest = std::max(effect.widest, column_);
  }
  return effect;
}

void CursorWatch::TakeText(unsigned char byte, Effect& effect) {
  if (byte == '\x1b') {
    state_ = State::kEscape;
  } else if (byte == '\n' || byte == '\v' || byte == '\f') {
    NewRow(effect);
    column_ = 0;
  } else if (byte == '\r') {
    column_ = 0;
  } else if (byte == '\b') {
    column_ = std::max(0, column_ - 1);
  } else if (byte == '\t' || byte >= ' ') {
    // A character has at least as many bytes as columns.
    column_ = std::min(kMaxColumn, column_ + (byte == '\t' ? kTabColumns : 1));
    is_line_empty_ = false;
  }
}

void CursorWatch::TakeEscape(unsigned char byte, Effect& effect) {
  state_ = State::kText;
  switch (byte) {
    case '[':
      parameters_.clear();
      state_ = State::kSequence;
      break;
    case ']':
    case 'P':
    case '_':
    case '^':
    case 'X':
      state_ = State::kString;
      break;
    case '(':
    case ')':
    case '#':
    case '%':
      state_ = State::kCharset;
      break;
    case '7':
    case '8':
      keeps_positions_ = true;
      LosePosition(effect);
      break;
    case 'D':
    case 'E':
      NewRow(effect);
      break;
    case 'M':
      ++rows_below_;
      is_line_empty_ = false;
      break;
    case 'c':
      LosePosition(effect);
      break;
    default:
      break;
  }
}

void CursorWatch::TakeSequence(char final, Effect& effect) {
  const int number = FirstNumber(parameters_);
  const int count = std::max(1, number);
  switch (final) {
    case 'A':
    case 'F':
      rows_below_ += count;
      is_line_empty_ = false;
      break;
    case 'B':
    case 'E':
      // Never scrolls; below the last row with content it would reach a line that is ours.
      if (count > rows_below_) effect.stays_above = false;
      rows_below_ = std::max<int64_t>(0, rows_below_ - count);
      is_line_empty_ = false;
      break;
    case 'C':
    case 'a':
      column_ = std::min(kMaxColumn, column_ + count);
      break;
    case 'G':
    case '`':
      column_ = std::min(kMaxColumn, count - 1);
      break;
    case 'J':
      effect.stays_above = false;
      if (number == 1) break;
      rows_below_ = 0;
      if (column_ == 0 || number >= 2) is_line_empty_ = true;
      break;
    case 'K':
      if (number == 2 || (number == 0 && column_ == 0)) is_line_empty_ = true;
      break;
    case 'm': {
      // The last attribute decides: 0 ends all of them.
      const std::vector<std::string> attributes = absl::StrSplit(parameters_, ';');
      is_plain_ = attributes.back().empty() || attributes.back() == "0";
      break;
    }
    case 'h':
    case 'l':
      TakeMode(final == 'h');
      break;
    case 's':
    case 'u':
      keeps_positions_ = true;
      LosePosition(effect);
      break;
    case 'r':
      keeps_positions_ = keeps_positions_ || !parameters_.empty();
      LosePosition(effect);
      break;
    case 'H':
    case 'f':
    case 'd':
    case 'e':
    case 'L':
    case 'M':
    case 'S':
    case 'T':
      LosePosition(effect);
      break;
    default:
      break;
  }
}

void CursorWatch::TakeMode(bool is_set) {
  if (parameters_.empty() || parameters_.front() != '?') return;
  for (const absl::string_view mode : absl::StrSplit(parameters_.substr(1), ';')) {
    if (mode == "1049" || mode == "1047" || mode == "47") is_alternate_ = is_set;
    if (mode == "2026") is_synchronized_ = is_set;
  }
}

void CursorWatch::NewRow(Effect& effect) {
  if (rows_below_ > 0) {
    --rows_below_;
    is_line_empty_ = false;
    return;
  }
  effect.stays_above = false;
  ++effect.new_rows;
  is_line_empty_ = true;
}

void CursorWatch::LosePosition(Effect& effect) {
  rows_below_ = kManyRows;
  is_line_empty_ = false;
  effect.stays_above = false;
}

}  // namespace cudadoctor

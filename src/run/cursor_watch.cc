#include "run/cursor_watch.h"

#include <algorithm>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"

namespace cudadoctor {
namespace {

// More rows than any terminal has: after a move to a place that is not known, so many lines must be
// begun until the last one with content is certainly the cursor's.
constexpr int64_t kManyRows = 1000;
constexpr int kTabColumns = 8;
constexpr uint32_t kReplacement = 0xfffd;  // how terminals show what is no UTF-8
constexpr size_t kMaxParameters = 64;

// Whether every terminal shows it in one column. Of the others some are shown in two, or in none.
bool IsNarrow(uint32_t character) {
  return character < 0x300 || (character >= 0x370 && character < 0x483) ||
         (character >= 0x2010 && character < 0x2028) ||
         (character >= 0x2500 && character < 0x25fd) || (character >= 0x2800 && character < 0x2900);
}

int FirstNumber(const std::string& parameters) {
  int number = 0;
  const std::string first = parameters.substr(0, parameters.find(';'));
  return absl::SimpleAtoi(first, &number) && number > 0 ? number : 0;
}

}  // namespace

bool CursorWatch::HasFreeRow() const {
  return state_ == State::kText && bytes_left_ == 0 && rows_below_ == 0 &&
         (!IsRowFull() || is_blank_) && is_plain_ && !is_alternate_ && !is_synchronized_ &&
         !keeps_positions_;
}

CursorWatch::Effect CursorWatch::Feed(std::string_view bytes, int width) {
  Effect effect;
  if (width != width_) {
    width_ = width;
    column_ = std::min(column_, width);
  }
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
  }
  return effect;
}

void CursorWatch::TakeText(unsigned char byte, Effect& effect) {
  if (bytes_left_ > 0) {
    if ((byte & 0xc0) == 0x80) {
      character_ = character_ << 6 | (byte & 0x3fU);
      if (--bytes_left_ == 0) TakeCharacter(character_, effect);
      return;
    }
    bytes_left_ = 0;
    TakeCharacter(kReplacement, effect);
  }
  if (byte == '\x1b') {
    state_ = State::kEscape;
  } else if (byte == '\n' || byte == '\v' || byte == '\f') {
    NewRow(effect);
    MoveTo(0);
  } else if (byte == '\r') {
    MoveTo(0);
  } else if (byte == '\b') {
    column_ = std::max(0, std::min(column_, width_ - 1) - 1);
  } else if (byte == '\t') {
    if (!IsRowFull()) column_ = std::min(width_ - 1, column_ - column_ % kTabColumns + kTabColumns);
    is_line_empty_ = false;
  } else if (byte >= 0xc0) {
    bytes_left_ = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
    character_ = byte & (0x3fU >> bytes_left_);
  } else if (byte >= ' ' && byte != '\x7f') {
    TakeCharacter(byte < 0x80 ? byte : kReplacement, effect);
  }
}

void CursorWatch::TakeCharacter(uint32_t character, Effect& effect) {
  if (IsRowFull()) {
    NewRow(effect);
    MoveTo(0);
  }
  ++column_;
  if (!IsNarrow(character)) ++slack_;
  // Whether the row is full, and the line goes on in the next one, is not known any more.
  if (slack_ > 0 && column_ + slack_ >= width_) LosePosition(effect);
  is_line_empty_ = false;
  is_blank_ = character == ' ' && is_plain_;
}

void CursorWatch::MoveTo(int column) {
  column_ = std::min(column, width_ - 1);
  slack_ = 0;
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
      column_ = byte == 'E' ? 0 : std::min(column_, width_ - 1);
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
      column_ = final == 'F' ? 0 : std::min(column_, width_ - 1);
      break;
    case 'B':
    case 'E':
      // Never scrolls; below the last row with content it would reach a line that is ours.
      if (count > rows_below_) effect.stays_above = false;
      rows_below_ = std::max<int64_t>(0, rows_below_ - count);
      is_line_empty_ = false;
      column_ = final == 'E' ? 0 : std::min(column_, width_ - 1);
      break;
    case 'D':
      column_ = std::max(0, std::min(column_, width_ - 1) - count);
      break;
    case 'C':
    case 'a':
      column_ = std::min(width_ - 1, column_ + count);
      break;
    case 'G':
    case '`':
      MoveTo(count - 1);
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
    if (mode == "7" && !is_set) keeps_positions_ = true;  // long lines do not go on
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

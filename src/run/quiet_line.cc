#include "run/quiet_line.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace cudadoctor {
namespace {

// As ECMA-48 has them. Index moves down in the same column and scrolls at the bottom; the tty
// driver does not change it as it would change a line feed.
constexpr char kIndex[] =
    "\x1b"
    "D";
constexpr char kSaveCursor[] =
    "\x1b"
    "7";
constexpr char kRestoreCursor[] =
    "\x1b"
    "8";
constexpr char kUp[] = "\x1b[A";
constexpr char kDown[] = "\x1b[B";
constexpr char kEraseToEnd[] = "\x1b[K";
constexpr char kEraseLine[] = "\x1b[2K";

}  // namespace

void QuietLine::BeforeOutput(std::string_view bytes, int width, Time now) {
  // Erasing restores the state before `bytes`.
  CursorWatch after = cursor_;
  const CursorWatch::Effect effect = after.Feed(bytes, width);
  if (!effect.stays_above || !is_below_) Erase();
  cursor_ = std::move(after);
  last_output_ = now;
  if (effect.new_rows > 0) last_news_ = now;
}

bool QuietLine::IsDue(Time now) const {
  return now - last_news_ >= kQuiet && now - last_output_ >= kSettled && cursor_.HasFreeRow();
}

void QuietLine::Draw(const std::string& text) {
  if (text == drawn_) return;
  if (drawn_.empty()) is_below_ = !cursor_.IsAtEmptyLine();
  if (text.empty()) return Erase();
  if (is_below_) {
    // The place is saved after the scrolling, and is right whether it scrolled or not.
    write_(absl::StrCat(drawn_.empty() ? kIndex : kDown, kSaveCursor, "\r", text, kEraseToEnd,
                        kRestoreCursor, kUp, cursor_.IsRowFull() ? " " : ""));
  } else {
    write_(absl::StrCat(text, kEraseToEnd, "\r"));
  }
  drawn_ = text;
}

void QuietLine::Erase() {
  if (drawn_.empty()) return;
  drawn_.clear();
  write_(is_below_ ? absl::StrCat(kDown, kEraseLine, kUp, cursor_.IsRowFull() ? " " : "")
                   : std::string(kEraseToEnd));
}

}  // namespace cudadoctor

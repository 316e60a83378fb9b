#include "run/cursor_watch.h"

#include <string>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

constexpr int kWidth = 20;

TEST(CursorWatchTest, WhetherARowIsFree) {
  struct Row {
    const char* name;
    std::string output;
    bool is_free;
    bool is_empty_line;
  };
  const Row rows[] = {
      {"nothing", "", true, false},
      {"a line", "one\n", true, true},
      {"a terminal's line", "one\r\n", true, true},
      {"half a line", "one", true, false},
      {"carriage return", "one\r", true, false},
      {"colours that end", "\x1b[31mone\x1b[0m\n", true, true},
      {"colours after the line end", "\x1b[31mone\n\x1b[m", true, true},
      {"colours that do not end", "\x1b[31mone\n", false, true},
      {"the cursor shown again", "one\n\x1b[?25h", true, true},
      {"half a sequence", "one\n\x1b[3", false, true},
      {"half a character", "one\xe2\xa0", false, false},
      {"up", "one\ntwo\x1b[A", false, false},
      {"up and back", "one\ntwo\x1b[A\x1b[B", true, false},
      {"up and back by lines", "a\nb\nc\x1b[2Ax\ny\nz", true, false},
      {"up and back by lines, one missing", "a\nb\nc\x1b[2Ax\ny\n", true, false},
      {"up by three, down by two", "a\nb\nc\nd\x1b[3A\n\n", false, false},
      {"all below erased", "a\nb\x1b[A\r\x1b[J", true, true},
      {"alternate screen", "\x1b[?1049hx\n", false, true},
      {"and back", "\x1b[?1049hx\x1b[?1049l\n", true, true},
      {"synchronized update", "x\x1b[?2026hy", false, false},
      {"absolute position", "x\n\x1b[5;1Hy\n", false, false},
      {"saved cursor",
       "\x1b"
       "7x\n",
       false, false},
      {"scroll region", "\x1b[1;5rx\n", false, false},
      {"title", "\x1b]0;a title\x07x\n", true, true},
      {"title ended by ST", "\x1b]0;a title\x1b\\x\n", true, true},
      {"no automatic wrapping", "\x1b[?7lx\n", false, true},
      {"a full row of text", "12345678901234567890", false, false},
      {"a full row that ends in a blank", "1234567890123456789 ", true, false},
      {"a longer line", "123456789012345678901", true, false},
      {"spinner", "\xe2\xa0\x8b work", true, false},
      {"wide characters", "\xe4\xb8\xad\xe6\x96\x87", true, false},
      {"wide characters that may fill the row",
       "123456789012\xe4\xb8\xad\xe6\x96\x87\xe4\xb8\xad\xe6\x96\x87", false, false},
      {"invalid UTF-8", "caf\xe9\n", true, true},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    CursorWatch whole;
    whole.Feed(row.output, kWidth);
    EXPECT_EQ(whole.HasFreeRow(), row.is_free);
    EXPECT_EQ(whole.IsAtEmptyLine(), row.is_empty_line);
    CursorWatch in_pieces;
    for (const char byte : row.output) in_pieces.Feed({&byte, 1}, kWidth);
    EXPECT_EQ(in_pieces.HasFreeRow(), row.is_free);
    EXPECT_EQ(in_pieces.IsAtEmptyLine(), row.is_empty_line);
  }
}

TEST(CursorWatchTest, AfterManyLinesAnyPlaceIsKnownAgain) {
  CursorWatch watch;
  watch.Feed("\x1b[5;1H", kWidth);
  EXPECT_FALSE(watch.HasFreeRow());
  watch.Feed(std::string(1000, '\n'), kWidth);
  EXPECT_TRUE(watch.HasFreeRow());
}

TEST(CursorWatchTest, WhatStaysAbove) {
  struct Row {
    const char* name;
    std::string before;
    std::string output;
    bool stays_above;
    int new_rows;
  };
  const std::string full(kWidth - 1, ' ');
  const Row rows[] = {
      {"pip's spinner", "Building ... -", "\b\\", true, 0},
      {"a bar", "1%", "\r\x1b[2K2%", true, 0},
      {"a line", "one", "\n", false, 1},
      {"a second line", "one\n", "two", true, 0},
      {"wrapping", "one", std::string(kWidth, 'x'), false, 1},
      {"a block of two rows", "a\nb",
       "\x1b[1A\r\x1b[2K\x1b[1B\r\x1b[2K\x1b[1A"
       "c\nd",
       true, 0},
      // uv fills its rows with blanks instead of ending lines.
      {"uv's block", "B" + full + "P" + full,
       "\x1b[1A\r\x1b[2K\x1b[1B\r\x1b[2K\x1b[1A"
       "B" +
           full + "P" + full,
       true, 0},
      {"a block that grows", "a\nb", "\x1b[1A\rc\nd\ne", false, 1},
      {"down beyond the end", "a", "\x1b[B", false, 0},
      {"erasing below", "a", "\x1b[J", false, 0},
      {"absolute position", "a", "\x1b[H", false, 0},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    CursorWatch watch;
    watch.Feed(row.before, kWidth);
    const CursorWatch::Effect effect = watch.Feed(row.output, kWidth);
    EXPECT_EQ(effect.stays_above, row.stays_above);
    EXPECT_EQ(effect.new_rows, row.new_rows);
  }
}

}  // namespace
}  // namespace cudadoctor

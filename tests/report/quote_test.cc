#include "report/quote.h"

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

TEST(ColumnsTest, AreThoseOfATerminal) {
  EXPECT_EQ(Columns(""), 0u);
  EXPECT_EQ(Columns("a…b"), 3u);
  EXPECT_EQ(Columns("äöü"), 3u);
  EXPECT_EQ(Columns("错误"), 4u);
  EXPECT_EQ(Columns("e\u0301"), 1u) << "an accent of its own";
  EXPECT_EQ(Columns("ｶﾞ ガ"), 5u) << "half width and full width";
}

TEST(CutTest, CountsColumns) {
  EXPECT_EQ(Cut("abc", 3), "abc");
  EXPECT_EQ(Cut("abcd", 3), "ab…");
  EXPECT_EQ(Cut("äöüß", 3), "äö…");
  EXPECT_EQ(Cut("", 3), "");
  EXPECT_EQ(Cut("错误错", 5), "错误…");
  EXPECT_EQ(Cut("错误错", 4), "错…") << "no half character";
  EXPECT_EQ(Cut("e\u0301e\u0301e\u0301", 2), "e\u0301…") << "the accent stays with its letter";
}

TEST(CutBytesTest, IsWholeCharacters) {
  EXPECT_EQ(CutBytes("äöü", 6), "äöü");
  EXPECT_EQ(CutBytes("äöü", 5), "ä…");
  EXPECT_EQ(CutBytes("äöüß", 6), "ä…");
  EXPECT_EQ(CutBytes("abcd", 3), "…");
}

TEST(QuoteTest, ShowsWhatFired) {
  const struct {
    const char* name;
    std::string text;
    int column;
    std::string expected;
  } rows[] = {
      {"short", "Killed", 1, "Killed"},
      {"long, at the start", "Killed " + std::string(30, '.'), 1,
       "Killed " + std::string(11, '.') + "…"},
      {"far into it", std::string(100, '.') + "Killed", 101, "…............Killed"},
      {"no half characters", "ää" + std::string(100, '.') + "Killed", 6,
       "ää" + std::string(16, '.') + "…"},
      {"column of no match", "Killed", 0, "Killed"},
  };
  for (const auto& row : rows)
    EXPECT_EQ(Quote({1, 1, row.column, row.text, "x"}, 20), row.expected) << row.name;
}

TEST(OneLineTest, ControlsBecomeBlanks) {
  EXPECT_EQ(OneLine("a\r\nb\x1b[0K\tc\x7f"), "a  b [0K c ");
  EXPECT_EQ(OneLine("a\xc2\x9b"
                    "b \xc2\xa0ä…"),
            "a b \xc2\xa0ä…");
  EXPECT_EQ(OneLine("\xc2"), "\xc2");
}

TEST(PrefixTest, IsWholeCharacters) {
  EXPECT_EQ(Prefix("aäb", 9), "aäb");
  EXPECT_EQ(Prefix("aäb", 2), "a");
  EXPECT_EQ(Prefix("aäb", 3), "aä");
  EXPECT_EQ(Prefix("ä", 1), "");
}

}  // namespace
}  // namespace cudadoctor

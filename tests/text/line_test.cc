#include "text/line.h"

#include <string>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

using std::string_literals::operator""s;

TEST(CleanTest, KeepsTheToolsOwnText) {
  struct Row {
    const char* name;
    std::string raw;
    const char* text;
  };
  const Row rows[] = {
      {"plain", "error: x", "error: x"},
      {"CRLF", "error: x\r", "error: x"},
      {"indentation and blanks at the end", "   error: x \t ", "error: x"},
      {"a tab inside becomes a blank", "a\tb", "a b"},
      {"ANSI colour", "\x1b[1;31merror:\x1b[0m x", "error: x"},
      {"256 colours", "\x1b[38;5;196merror\x1b[39m", "error"},
      {"colours with colons", "\x1b[38:2::255:0:0merror\x1b[m", "error"},
      {"cursor and erase", "\x1b[2K\x1b[1Gerror\x1b[?25h", "error"},
      {"character set", "\x1b(Berror", "error"},
      {"OSC title ended by a bell",
       "\x1b]0;title\x07"
       "error",
       "error"},
      {"OSC hyperlink ended by ESC backslash", "\x1b]8;;https://x\x1b\\error\x1b]8;;\x1b\\",
       "error"},
      {"APC",
       "\x1b_bk;t=1709539951123\x07"
       "error",
       "error"},
      {"colour code whose escape was lost", "[31merror:[0m x", "error: x"},
      {"near miss: an index is none", "a[31] m", "a[31] m"},
      {"near miss: a bracket in a compiler's line", "x[12m]", "x[12m]"},
      {"arrow for the escape", "\xE2\x86\x90[31merror\xE2\x86\x90[0m", "error"},
      {"near miss: an arrow", "a \xE2\x86\x90 b", "a \xE2\x86\x90 b"},
      {"progress redrawn", "10%\r50%\r100%", "100%"},
      {"the last state that shows something", "Building wheel\r\x1b[K", "Building wheel"},
      {"a bar that is wiped by blanks", "done\r        ", "done"},
      {"progress and CRLF", "10%\r100%\r", "100%"},
      {"a lone escape at the end", "error\x1b", "error"},
      {"a control sequence that is cut", "error\x1b[31", "error31"},
      {"NUL and other controls", "er\0r\x01o\x7fr"s, "error"},
      {"invalid UTF-8", "caf\xE9", "caf\xEF\xBF\xBD"},
      {"byte order mark of the first line",
       "\xEF\xBB\xBF"
       "error",
       "error"},
      {"CI dress", "2026-03-04T08:12:31.1234567Z error", "error"},
      {"CI dress around colour", "2026-03-04T08:12:31.1234567Z \x1b[31merror\x1b[0m", "error"},
      {"pip's gutter", "  \xE2\x94\x82 error", "error"},
      {"pip's node", "  \xE2\x95\xB0\xE2\x94\x80> error", "error"},
      {"uv's node", "  \xE2\x95\xB0\xE2\x94\x80\xE2\x96\xB6 error", "error"},
      {"ASCII gutters", "  |-> error", "error"},
      {"near miss: a gutter needs a blank", "\xE2\x94\x82x", "\xE2\x94\x82x"},
      {"near miss: ASCII art stays", "| 0  NVIDIA", "| 0  NVIDIA"},
      {"empty", "", ""},
      {"only controls", "\x1b[0m\r", ""},
  };
  for (const Row& row : rows) EXPECT_EQ(Clean(row.raw).text, row.text) << row.name;
}

TEST(CleanTest, TellsTheStructure) {
  struct Row {
    const char* name;
    const char* raw;
    int indent;
    int gutters;
    bool starts_node;
    const char* stream;
    bool is_foreign;
  };
  const Row rows[] = {
      {"plain", "error", 0, 0, false, "", false},
      {"indented", "    error", 4, 0, false, "", false},
      {"pip's gutter", "  \xE2\x94\x82   error", 3, 1, false, "", false},
      {"pip's node", "  \xE2\x95\xB0\xE2\x94\x80> error", 1, 1, true, "", false},
      {"a node behind a gutter", "  \xE2\x94\x82 \xE2\x95\xB0\xE2\x94\x80\xE2\x96\xB6 error", 1, 2,
       true, "", false},
      {"uv's branch", "  \xE2\x94\x9C\xE2\x94\x80\xE2\x96\xB6 error", 1, 1, true, "", false},
      {"BuildKit", "#7 1.5   error", 2, 0, false, "docker:7", false},
      {"GitHub", "2026-03-04T08:12:31Z error", 0, 0, false, "", true},
  };
  for (const Row& row : rows) {
    const CleanLine line = Clean(row.raw);
    EXPECT_EQ(line.text, "error") << row.name;
    EXPECT_EQ(line.indent, row.indent) << row.name;
    EXPECT_EQ(line.gutters, row.gutters) << row.name;
    EXPECT_EQ(line.starts_node, row.starts_node) << row.name;
    EXPECT_EQ(line.stream, row.stream) << row.name;
    EXPECT_EQ(line.is_foreign, row.is_foreign) << row.name;
    EXPECT_FALSE(line.is_cut) << row.name;
  }
}

TEST(CleanTest, CutsWhatIsTooLongAndSaysSo) {
  const CleanLine fits = Clean(std::string(kMaxLineBytes, 'x'));
  EXPECT_FALSE(fits.is_cut);
  EXPECT_EQ(fits.text.size(), kMaxLineBytes);
  CleanLine cut = Clean(std::string(kMaxLineBytes + 1, 'x'));
  EXPECT_TRUE(cut.is_cut);
  Cut(cut);
  EXPECT_EQ(cut.text.size(), kMaxLineBytes);
  EXPECT_LT(Clean(std::string(10 * kMaxLineBytes, 'x')).text.size(), 2 * kMaxLineBytes);
  CleanLine words = Clean(std::string(kMaxLineBytes - 3, 'x') + " a word");
  Cut(words);
  EXPECT_EQ(words.text, std::string(kMaxLineBytes - 3, 'x') + " a");
}

TEST(VisibleOfTest, KeepsWhereBytesCameFrom) {
  const VisibleText visible = VisibleOf("a\x1b[31mb\rc\xe2\x80\x8b\xff");
  EXPECT_EQ(visible.text, "ab\rc\xff");
  EXPECT_EQ(visible.from, (std::vector<size_t>{0, 6, 7, 8, 12}));
}

TEST(CleanTest, LeavesNoControlCharacterWhateverTheBytes) {
  uint32_t state = 12345;
  const std::string alphabet =
      "\x1b\x1b\x1b[]]_P^()\\\a\a\r0;1m2JKab \t\x9b\xc2\xe2\x80\xae\xe2\x86\x90\0\x7f\x85"s;
  for (int round = 0; round < 20000; ++round) {
    std::string raw;
    for (int i = 0; i < 24; ++i) {
      state = state * 1664525 + 1013904223;
      raw.push_back(alphabet[(state >> 8) % alphabet.size()]);
    }
    const std::string text = Clean(raw).text;
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      ASSERT_TRUE(byte >= 0x20 && byte != 0x7f) << "byte " << int{byte} << " in round " << round;
    }
    ASSERT_EQ(text.find("\xC2\x9B"), std::string::npos) << "a C1 control in round " << round;
    ASSERT_EQ(text.find("\xE2\x80\xAE"), std::string::npos) << "an override in round " << round;
  }
}

TEST(PrintableTest, OnlyControlsGo) {
  const struct {
    const char* text;
    const char* expected;
  } rows[] = {
      {"24.04", "24.04"},
      {"  a  b ", "  a  b "},
      {"2026-03-04T08:12:31.1234567Z a", "2026-03-04T08:12:31.1234567Z a"},
      {"\x1b[31mred\x1b[0m\r\nx\ty\a", "redx y"},
      {"caf\xe9", "caf\xEF\xBF\xBD"},
      {"\x1b]0;title\x07name", "name"},
  };
  for (const auto& row : rows) EXPECT_EQ(Printable(row.text), row.expected) << row.expected;
}

TEST(MayContinueTest, ToldByStructure) {
  const char* const kSentence =
      "The detected CUDA version (13.1) mismatches the version that was used";
  struct Row {
    const char* name;
    const char* line;
    const char* next;
    bool expected;
  };
  const Row rows[] = {
      {"a wrapped sentence", kSentence, "to compile PyTorch (12.8).", true},
      {"an indented rest", kSentence, "      to compile PyTorch (12.8).", true},
      {"a rest behind a gutter", "  \xE2\x94\x82 The detected CUDA version (13.1) mismatches",
       "  \xE2\x94\x82 the version", true},
      {"a short line is not wrapped", "error:", "to compile PyTorch", false},
      {"an empty line ends it", kSentence, "", false},
      {"a new node of a tree", kSentence, "  \xE2\x95\xB0\xE2\x94\x80\xE2\x96\xB6 the version",
       false},
      {"another stream", "#7 1.5 The detected CUDA version (13.1)", "#8 1.5 mismatches", false},
      {"the same stream", "#7 1.5 The detected CUDA version (13.1)", "#7 1.6 mismatches", true},
      {"a traceback", kSentence, "Traceback (most recent call last):", false},
      {"a frame", kSentence, "  File \"setup.py\", line 1, in <module>", false},
      {"an error of its own", kSentence, "error: subprocess-exited-with-error", false},
      {"a prompt", kSentence, "$ nvcc --version", false},
      {"uv's streams", kSentence, "[stderr]", false},
      {"nvcc's next message", kSentence, "csrc/a.cu(12): error: x", false},
      {"gcc's next message", kSentence, "csrc/a.cpp:12:5: error: x", false},
      {"a port", kSentence, "files.example.org:443", true},
      {"an argument list", kSentence, "compile(12.8), again", true},
  };
  for (const Row& row : rows)
    EXPECT_EQ(MayContinue(Clean(row.line), Clean(row.next)), row.expected) << row.name;
}

}  // namespace
}  // namespace cudadoctor

#include "text/utf.h"

#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

using std::string_literals::operator""s;

TEST(AppendValidUtf8Test, KeepsCharactersAndReplacesBytesThatAreNone) {
  struct Row {
    const char* name;
    std::string input;
    std::string expected;
  };
  const Row rows[] = {
      {"ASCII", "error: x", "error: x"},
      {"two bytes", "na\xC3\xAFve", "na\xC3\xAFve"},
      {"three bytes", "\xE2\x95\xB0\xE2\x94\x80\xE2\x96\xB6",
       "\xE2\x95\xB0\xE2\x94\x80\xE2\x96\xB6"},
      {"four bytes", "\xF0\x9F\x8F\x81", "\xF0\x9F\x8F\x81"},
      {"Latin-1", "caf\xE9!", "caf\xEF\xBF\xBD!"},
      {"lone continuation byte", "a\x80z", "a\xEF\xBF\xBDz"},
      {"cut at the end", "a\xE2\x94", "a\xEF\xBF\xBD\xEF\xBF\xBD"},
      {"overlong slash", "\xC0\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD"},
      {"overlong of three bytes", "\xE0\x80\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
      {"half of a surrogate pair", "\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
      {"above the last code point", "\xF4\x90\x80\x80",
       "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
      {"right-to-left override",
       "a\xE2\x80\xAE"
       "b",
       "ab"},
      {"isolates", "\xE2\x81\xA6x\xE2\x81\xA9", "x"},
      {"zero-width space", "pip\xE2\x80\x8Binstall", "pipinstall"},
      {"byte order mark in the middle",
       "a\xEF\xBB\xBF"
       "b",
       "ab"},
      {"C1 control (CSI)",
       "a\xC2\x9B"
       "2Jb",
       "a2Jb"},
      {"Arabic letter mark, which reorders too",
       "a\xD8\x9C"
       "b",
       "ab"},
      {"near miss: a hyphen of the same block stays",
       "a\xE2\x80\x90"
       "b",
       "a\xE2\x80\x90"
       "b"},
      {"empty", "", ""},
  };
  for (const Row& row : rows) {
    std::string output = "<";
    AppendValidUtf8(row.input, output);
    EXPECT_EQ(output, "<" + row.expected) << row.name;
  }
}

std::string DecodeIn(const std::string& bytes, size_t step) {
  StreamDecoder decoder;
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += step)
    text.append(decoder.Decode(std::string_view(bytes).substr(i, step)));
  return text;
}

std::string Utf16(std::string_view ascii, bool is_little) {
  std::string bytes;
  for (const char c : ascii) {
    bytes.push_back(is_little ? c : '\0');
    bytes.push_back(is_little ? '\0' : c);
  }
  return bytes;
}

TEST(StreamDecoderTest, DecodesTheSameHoweverTheStreamIsSplit) {
  struct Row {
    const char* name;
    std::string input;
    std::string expected;
  };
  const Row rows[] = {
      {"UTF-8 passes", "a\xE2\x94\x82 b\n", "a\xE2\x94\x82 b\n"},
      {"Latin-1 passes unchanged", "caf\xE9\n", "caf\xE9\n"},
      {"a NUL passes", "a\0b\n"s, "a\0b\n"s},
      {"UTF-16LE", "\xFF\xFE" + Utf16("error: no\n", true), "error: no\n"},
      {"UTF-16BE", "\xFE\xFF" + Utf16("error: no\n", false), "error: no\n"},
      {"surrogate pair", "\xFF\xFE\x3C\xD8\xC1\xDF"s, "\xF0\x9F\x8F\x81"},
      {"half a pair becomes U+FFFD", "\xFF\xFE\x3C\xD8"s + Utf16("ab", true),
       "\xEF\xBF\xBD"
       "ab"},
      {"near miss: FF alone is no mark",
       "\xFF"
       "ab",
       "\xFF"
       "ab"},
  };
  for (const Row& row : rows) {
    for (const size_t step : {1, 2, 3, 7, 1000}) {
      EXPECT_EQ(DecodeIn(row.input, step), row.expected)
          << row.name << ", " << step << " bytes at once";
    }
  }
}

}  // namespace
}  // namespace cudadoctor

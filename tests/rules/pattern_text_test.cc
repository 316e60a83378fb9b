#include "rules/pattern_text.h"

#include <string>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

TEST(ExpandPatternTest, BlanksAndFragments) {
  const Fragments fragments = {{"killed", "(?:Killed|Getötet)"},
                               {"by", "by {{killed}} of"},
                               {"self", "a {{other}}"},
                               {"other", "{{self}}"}};
  struct Row {
    const char* text;
    const char* expanded;
  };
  const Row rows[] = {
      {"", ""},
      {"no space left", R"(no\s+space\s+left)"},
      {"two  blanks\tand a tab", R"(two\s+blanks\s+and\s+a\s+tab)"},
      {"a ?b *c +d", R"(a\s*b\s*c\s+d)"},
      {"a{2} b", R"(a{2}\s+b)"},
      {R"(one\x20blank)", R"(one\x20blank)"},
      {R"(an\ escaped\\ one)", R"(an\ escaped\\\s+one)"},
      {"[ a] [^] b] []c ] [[:space:] d]", R"([ a]\s+[^] b]\s+[]c ]\s+[[:space:] d])"},
      {R"([\] a] \[ b)", R"([\] a]\s+\[\s+b)"},
      {"an open [class of", R"(an\s+open\s+[class of)"},
      {R"(at the end\)", R"(at\s+the\s+end\)"},
      {"\n  first line\n  second line\n", R"(first\s+line\s+second\s+line)"},
      {" at an edge ", R"(\s+at\s+an\s+edge\s+)"},
      {"^{{killed}} (?P<v>x{1,2})$", R"(^(?:Killed|Getötet)\s+(?P<v>x{1,2})$)"},
      {"{{by}}", R"(by\s+(?:Killed|Getötet)\s+of)"},
      {"[{{by}}]", "[{{by}}]"},
  };
  for (const Row& row : rows) {
    const absl::StatusOr<std::string> expanded = ExpandPattern(row.text, fragments);
    ASSERT_TRUE(expanded.ok()) << row.text << ": " << expanded.status();
    EXPECT_EQ(*expanded, row.expanded) << row.text;
  }
  const Row mistakes[] = {
      {"{{kiled}}", "there is no fragment \"kiled\"; rules/fragments.toml defines them"},
      {"{{by", "\"{{\" has no \"}}\" behind it"},
      {"{{self}}", "a fragment holds itself: self, other, self"},
  };
  for (const Row& row : mistakes) {
    EXPECT_EQ(ExpandPattern(row.text, fragments).status(), absl::InvalidArgumentError(row.expanded))
        << row.text;
  }
}

}  // namespace
}  // namespace cudadoctor

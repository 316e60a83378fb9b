#include "match/regex.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

TEST(RegexFindsTest, SearchesAnywhere) {
  struct Row {
    const char* name;
    const char* regex;
    const char* text;
    bool expected;
  };
  const Row rows[] = {
      {"in the middle", "b+", "abbc", true},      {"anchored", "^b", "abbc", false},
      {"letter case counts", "B", "abbc", false}, {"unless told", "(?i)B", "abbc", true},
      {"an empty text", "^$", "", true},          {"not valid: matches nothing", "(", "(", false},
  };
  for (const Row& row : rows) EXPECT_EQ(RegexFinds(row.regex, row.text), row.expected) << row.name;
}

TEST(GroupNamesTest, NamesNamedGroupsOnly) {
  EXPECT_EQ(GroupNames("(?P<b>x)(y)(?P<a>z)"), (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(GroupNames("(x)").empty());
}

}  // namespace
}  // namespace cudadoctor

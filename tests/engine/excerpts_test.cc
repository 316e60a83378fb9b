#include "engine/excerpts.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

using testing::ElementsAre;

std::string Numbered(int lines) {
  std::string log;
  for (int i = 1; i <= lines; ++i) absl::StrAppend(&log, "line ", i, "\n");
  return log;
}

std::vector<LineRun> Read(const std::string& log, const std::vector<int64_t>& wanted, int around,
                          size_t piece = 1 << 20) {
  ExcerptReader reader(wanted, around);
  for (size_t i = 0; i < log.size(); i += piece)
    reader.Feed(std::string_view(log).substr(i, piece));
  return reader.Finish();
}

TEST(ExcerptReaderTest, NeighbourhoodsThatTouchAreOne) {
  for (const size_t piece : {1, 3, 1000}) {
    const std::vector<LineRun> runs = Read(Numbered(30), {20, 2, 5, 20}, 1, piece);
    ASSERT_EQ(runs.size(), 2) << piece;
    EXPECT_EQ(runs[0].first_line, 1);
    EXPECT_THAT(runs[0].lines,
                ElementsAre("line 1", "line 2", "line 3", "line 4", "line 5", "line 6"));
    EXPECT_EQ(runs[1].first_line, 19);
    EXPECT_THAT(runs[1].lines, ElementsAre("line 19", "line 20", "line 21"));
  }
}

TEST(ExcerptReaderTest, EndsOfTheLog) {
  EXPECT_TRUE(Read("", {1}, 2).empty());
  EXPECT_TRUE(Read(Numbered(3), {}, 2).empty());
  EXPECT_TRUE(Read(Numbered(3), {9}, 2).empty());
  EXPECT_THAT(Read("a\nlast", {2}, 0)[0].lines, ElementsAre("last"));
  EXPECT_THAT(Read("a\n\n", {2}, 0)[0].lines, ElementsAre(""));
  EXPECT_THAT(Read("a\n", {1}, 5)[0].lines, ElementsAre("a"));
}

TEST(ExcerptReaderTest, LinesAreCleanedAndCut) {
  EXPECT_THAT(Read("\x1b[31mred\x1b[0m\r\n", {1}, 0)[0].lines, ElementsAre("red"));
  EXPECT_THAT(Read("    raise ValueError\n", {1}, 0)[0].lines, ElementsAre("    raise ValueError"));
  const std::vector<LineRun> runs = Read(std::string(1 << 20, 'x') + "\nnext\n", {1}, 1);
  ASSERT_EQ(runs.size(), 1);
  EXPECT_LT(runs[0].lines[0].size(), 5000);
  EXPECT_EQ(runs[0].lines[1], "next");
}

}  // namespace
}  // namespace cudadoctor

#include "match/log_scanner.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "match/patterns_for_test.h"

namespace cudadoctor {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A scan of a log with patterns that the tests share.
class LogScannerTest : public ::testing::Test {
 protected:
  enum { kMismatch, kKilled, kNearby, kFact };

  LogScannerTest()
      : patterns_(
            {MakePattern("mismatch",
                         {"CUDA\\s+version\\s+mismatches\\s+the\\s+one\\s+of\\s+PyTorch"}),
             MakePattern("killed", {"\\bKilled\\b"}),
             MakePattern("nearby", {"^cc -c (?P<file>\\S+)$"},
                         {{"file", {"source_file", ValueType::kFile}}}, true),
             MakePattern("fact", {"unsuitable=(?P<n>\\d+)"}, {{"n", {"n", ValueType::kInteger}}})}),
        matcher_(std::make_unique<Matcher>(patterns_)),
        opens_({true, true, false, false}) {}

  std::vector<Match> Scan(std::string_view log, size_t step = std::string_view::npos) {
    LogScanner scanner(*matcher_, opens_);
    for (size_t i = 0; i < log.size(); i += std::min(step, log.size())) {
      const absl::Status status = scanner.Feed(log.substr(i, step));
      EXPECT_TRUE(status.ok()) << status;
    }
    absl::StatusOr<std::vector<Match>> matches = scanner.Finish();
    EXPECT_TRUE(matches.ok()) << matches.status();
    lines_ = scanner.lines();
    return matches.ok() ? *matches : std::vector<Match>{};
  }

  // "pattern@first-last" of each match.
  std::vector<std::string> Places(std::string_view log, size_t step = std::string_view::npos) {
    std::vector<std::string> places;
    for (const Match& match : Scan(log, step)) {
      std::string place = patterns_[match.pattern].name + "@" + std::to_string(match.first_line);
      if (match.last_line != match.first_line) place += "-" + std::to_string(match.last_line);
      places.push_back(place);
    }
    return places;
  }

  std::vector<Pattern> patterns_;
  std::unique_ptr<Matcher> matcher_;
  std::vector<bool> opens_;
  int64_t lines_ = 0;
};

std::string Lines(int count, const std::string& line = "all is well") {
  std::string text;
  for (int i = 0; i < count; ++i) text += line + "\n";
  return text;
}

TEST_F(LogScannerTest, NumbersRawLines) {
  struct Row {
    const char* name;
    std::string log;
    int64_t lines;
    std::vector<std::string> places;
  };
  const Row rows[] = {
      {"empty", "", 0, {}},
      {"one line", "Killed\n", 1, {"killed@1"}},
      {"no final newline", "x\nKilled", 2, {"killed@2"}},
      {"empty lines count", "\n\nKilled\n\n", 4, {"killed@3"}},
      {"CRLF", "x\r\nKilled\r\n", 2, {"killed@2"}},
      {"a redrawn line is one", "1%\r2%\r3%\nKilled\n", 2, {"killed@2"}},
      {"behind colours and a dress",
       "x\n2026-03-04T08:12:31Z \x1b[31mKilled\x1b[0m\n",
       2,
       {"killed@2"}},
      {"coloured inside a sentence",
       "CUDA \x1b[1mversion\x1b[0m mismatches the one of PyTorch\n",
       1,
       {"mismatch@1"}},
      {"wrapped", "x\nthe CUDA version mismatches the\none of PyTorch\n", 3, {"mismatch@2-3"}},
      {"wrapped twice behind gutters",
       "  \xE2\x94\x82 so the CUDA version mismatches\n  \xE2\x94\x82 the one that is really\n",
       2,
       {}},
      {"wrapped over three lines",
       "  \xE2\x94\x82 so it is that the CUDA version\n  \xE2\x94\x82 mismatches the one of\n  "
       "\xE2\x94\x82 PyTorch here\n",
       3,
       {"mismatch@1-3"}},
      {"near miss: another node begins",
       "so it is that the CUDA version\n  \xE2\x95\xB0\xE2\x94\x80\xE2\x96\xB6 mismatches the one "
       "of PyTorch\n",
       2,
       {}},
      {"both on one line",
       "CUDA version mismatches the one of PyTorch, Killed\n",
       1,
       {"mismatch@1", "killed@1"}},
      {"sorted by line",
       "Killed\nCUDA version mismatches the one of PyTorch\nKilled\n",
       3,
       {"killed@1", "mismatch@2", "killed@3"}},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Places(row.log), row.places) << row.name;
    EXPECT_EQ(lines_, row.lines) << row.name;
    EXPECT_EQ(Places(row.log, 1), row.places) << row.name << ", byte by byte";
    EXPECT_EQ(lines_, row.lines) << row.name << ", byte by byte";
  }
}

TEST_F(LogScannerTest, ARejoinedMatchQuotesOnlyTheLinesItCovers) {
  const std::vector<Match> matches = Scan(
      "the CUDA version mismatches the\none of PyTorch, and that is\nall that there is to say\n");
  ASSERT_EQ(matches.size(), 1u);
  EXPECT_EQ(matches[0].text, "the CUDA version mismatches the one of PyTorch, and that is");
  EXPECT_EQ(matches[0].column, 5);
}

TEST_F(LogScannerTest, LooksCloselyAtBothEndsAndNearMatches) {
  const std::string cc = "cc -c x.cu\n";
  const int far = LogScanner::kHeadLines + LogScanner::kTailLines + 500;
  struct Row {
    const char* name;
    std::string log;
    std::vector<std::string> places;
  };
  const int middle = far / 2;
  const auto at = [](int line) { return "nearby@" + std::to_string(line); };
  const std::string killed_at = "killed@" + std::to_string(middle + 1);
  const Row rows[] = {
      {"the first line", cc + Lines(far), {at(1)}},
      {"the last line of the head",
       Lines(LogScanner::kHeadLines - 1) + cc + Lines(far),
       {at(LogScanner::kHeadLines)}},
      {"the first line behind the head", Lines(LogScanner::kHeadLines) + cc + Lines(far), {}},
      {"the last line", Lines(far) + cc, {at(far + 1)}},
      {"the first line of the tail",
       Lines(far) + cc + Lines(LogScanner::kTailLines - 1),
       {at(far + 1)}},
      {"the last line before the tail", Lines(far) + cc + Lines(LogScanner::kTailLines), {}},
      {"the middle", Lines(middle) + cc + Lines(middle), {}},
      {"before a match",
       Lines(middle - 10) + cc + Lines(9) + "Killed\n" + Lines(middle),
       {at(middle - 9), killed_at}},
      {"far before a match",
       Lines(middle - LogScanner::kLinesBefore - 1) + cc + Lines(LogScanner::kLinesBefore) +
           "Killed\n" + Lines(middle),
       {killed_at}},
      {"as far before a match as it looks",
       Lines(middle - LogScanner::kLinesBefore) + cc + Lines(LogScanner::kLinesBefore - 1) +
           "Killed\n" + Lines(middle),
       {at(middle - LogScanner::kLinesBefore + 1), killed_at}},
      {"after a match",
       Lines(middle) + "Killed\n" + Lines(9) + cc + Lines(middle),
       {killed_at, at(middle + 11)}},
      {"as far after a match as it looks",
       Lines(middle) + "Killed\n" + Lines(LogScanner::kLinesAfter - 1) + cc + Lines(middle),
       {killed_at, at(middle + 1 + LogScanner::kLinesAfter)}},
      {"far after a match",
       Lines(middle) + "Killed\n" + Lines(LogScanner::kLinesAfter) + cc + Lines(middle),
       {killed_at}},
      {"near a fact, which opens nothing",
       Lines(middle) + "unsuitable=7\n" + cc + Lines(middle),
       {"fact@" + std::to_string(middle + 1)}},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Places(row.log), row.places) << row.name;
    EXPECT_EQ(Places(row.log, 997), row.places) << row.name << ", in pieces";
  }
}

TEST_F(LogScannerTest, FindsAWrappedMessageInTheMiddle) {
  const int middle = LogScanner::kHeadLines + 300;
  const std::string log = Lines(middle) +
                          "so it is that the CUDA version\n    mismatches the one of PyTorch\n" +
                          Lines(middle);
  EXPECT_THAT(Places(log), ElementsAre("mismatch@" + std::to_string(middle + 1) + "-" +
                                       std::to_string(middle + 2)));
}

TEST_F(LogScannerTest, KeepsTheFirstAndTheLastMatches) {
  const int count = 10 * (LogScanner::kFirstMatches + LogScanner::kLastMatches);
  std::string log;
  for (int i = 1; i <= count; ++i) log += "unsuitable=" + std::to_string(i) + "\n";
  const std::vector<Match> matches = Scan(log);
  ASSERT_EQ(matches.size(), size_t{LogScanner::kFirstMatches} + LogScanner::kLastMatches);
  EXPECT_EQ(matches.front().captures.at(0).value, "1");
  EXPECT_EQ(matches[LogScanner::kFirstMatches - 1].captures.at(0).value,
            std::to_string(LogScanner::kFirstMatches));
  EXPECT_EQ(matches[LogScanner::kFirstMatches].captures.at(0).value,
            std::to_string(count - LogScanner::kLastMatches + 1));
  EXPECT_EQ(matches.back().captures.at(0).value, std::to_string(count));
}

TEST_F(LogScannerTest, ALogLongerThanTheWindowKeepsItsLineNumbers) {
  const std::string filler = std::string(200, 'x') + "\n";
  std::string log;
  std::vector<std::string> expected;
  int line = 0;
  while (log.size() < 3 * LogScanner::kWindowBytes) {
    for (int i = 0; i < 5000; ++i, ++line) log += filler;
    log += "Killed\n";
    expected.push_back("killed@" + std::to_string(++line));
    log += "so it is that the CUDA version\nmismatches the one of PyTorch\n";
    expected.push_back("mismatch@" + std::to_string(line + 1) + "-" + std::to_string(line + 2));
    line += 2;
  }
  ASSERT_LT(expected.size(), 40u);
  for (const size_t step : {size_t{1} << 30, size_t{65536}, size_t{4099}}) {
    EXPECT_EQ(Places(log, step), expected) << step << " bytes at once";
    EXPECT_EQ(lines_, line);
  }
}

TEST_F(LogScannerTest, VeryLongLinesKeepLineNumbers) {
  const std::string logs[] = {
      "x\n" + std::string(5'000'000, 'y') + "\nKilled\n",
      "x\n" + std::string(9'000'000, 'y') + "\nKilled\n",
      "x\n" + std::string(1'500'000, 'y') + "\nKilled\n",
      "x\n" + std::string(LogScanner::kWindowBytes - 2, 'y') + "\nKilled\n",
      "x\n" + std::string(LogScanner::kWindowBytes - 3, 'y') + "\nKilled\n",
  };
  for (const std::string& log : logs) {
    for (const size_t step : {size_t{1} << 30, size_t{65536}, size_t{70001}}) {
      EXPECT_THAT(Places(log, step), ElementsAre("killed@3"))
          << log.size() << " bytes, " << step << " at once";
      EXPECT_EQ(lines_, 3);
    }
  }
}

TEST_F(LogScannerTest, MatchesTheStartOfALineThatIsTooLongAndMarksItAsCut) {
  const std::vector<Match> matches =
      Scan("Killed " + std::string(5'000'000, 'y') + " unsuitable=9\nx\n");
  ASSERT_EQ(matches.size(), 1u);
  EXPECT_EQ(matches[0].first_line, 1);
  EXPECT_TRUE(matches[0].is_cut);
  EXPECT_EQ(lines_, 2);
}

TEST_F(LogScannerTest, LongLinesOneAfterTheOtherGiveTheSameInAnyPieces) {
  std::string log;
  for (int i = 0; i < 12; ++i)
    log += std::string(700'000, 'y') +
           "\nso it is that the CUDA version\nmismatches the one of PyTorch\nKilled\n";
  const std::vector<std::string> at_once = Places(log);
  EXPECT_EQ(at_once.size(), 24u);
  for (const size_t step : {size_t{65536}, size_t{65537}, size_t{250'000}})
    EXPECT_EQ(Places(log, step), at_once) << step << " bytes at once";
}

TEST_F(LogScannerTest, TellsStreamAndOrigin) {
  const std::vector<Match> matches = Scan("#14 3.2 Killed\n2026-03-04T08:12:31Z Killed\n");
  ASSERT_EQ(matches.size(), 2u);
  EXPECT_EQ(matches[0].stream, "docker:14");
  EXPECT_FALSE(matches[0].is_foreign);
  EXPECT_TRUE(matches[1].is_foreign);
}

}  // namespace
}  // namespace cudadoctor

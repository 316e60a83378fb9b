#include "match/matcher.h"

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "match/patterns_for_test.h"

namespace cudadoctor {
namespace {

using ::testing::ElementsAre;

struct Fired {
  std::string pattern;
  int column;
  std::vector<std::string> captures;
  bool operator==(const Fired& other) const {
    return pattern == other.pattern && column == other.column && captures == other.captures;
  }
};

void PrintTo(const Fired& fired, std::ostream* out) {
  *out << fired.pattern << "@" << fired.column;
  for (const std::string& capture : fired.captures) *out << " " << capture;
}

std::vector<Pattern> Patterns() {
  std::vector<Pattern> patterns = {
      MakePattern("mismatch",
                  {"CUDA version \\((?P<toolkit>[^)]*)\\) mismatches",
                   "mismatches: (?P<toolkit>\\S+) is not (?P<torch>\\S+)"},
                  {{"toolkit", {"toolkit_cuda", ValueType::kVersion}},
                   {"torch", {"torch_cuda", ValueType::kVersion}}}),
      MakePattern("killed", {"\\bKilled$"}),
      MakePattern("number", {"^\\d+$"}, {}, true),
  };
  patterns[1].sets = {{"isolated_build", "yes"}, {"killed_program", "nvcc"}};
  return patterns;
}

std::vector<Fired> Fire(const std::vector<Pattern>& patterns, const std::string& text,
                        bool candidates_only = false) {
  const Matcher matcher(patterns);
  std::vector<Match> matches;
  const absl::Status status = matcher.MatchText(text, text.size(), candidates_only, matches);
  EXPECT_TRUE(status.ok()) << status;
  std::vector<Fired> fired;
  for (const Match& match : matches) {
    Fired& one = fired.emplace_back(Fired{patterns[match.pattern].name, match.column, {}});
    for (const Capture& capture : match.captures)
      one.captures.push_back(capture.fact + "=" + capture.value);
    EXPECT_EQ(match.text, text);
    EXPECT_FALSE(match.is_cut);
  }
  return fired;
}

TEST(MatcherTest, FiresWithCaptures) {
  const std::vector<Pattern> patterns = Patterns();
  struct Row {
    const char* name;
    const char* text;
    bool candidates_only;
    std::vector<Fired> expected;
  };
  const Row rows[] = {
      {"typed capture",
       "the CUDA version (13.1) mismatches x",
       false,
       {{"mismatch", 5, {"toolkit_cuda=13.1"}}}},
      {"another variant",
       "mismatches: v12.0 is not 12.8+cu128",
       false,
       {{"mismatch", 1, {"toolkit_cuda=12.0", "torch_cuda=12.8+cu128"}}}},
      {"both variants fire once",
       "CUDA version (13.1) mismatches: 1.0 is not 2.0",
       false,
       {{"mismatch", 1, {"toolkit_cuda=13.1"}}}},
      {"a value that does not fit is dropped", "CUDA version ($(id)) mismatches", false, {}},
      {"a value that does not fit its type",
       "CUDA version (no `x`) mismatches",
       false,
       {{"mismatch", 1, {}}}},
      {"fixed facts",
       "cc1plus: Killed",
       false,
       {{"killed", 10, {"isolated_build=yes", "killed_program=nvcc"}}}},
      {"near miss: not at the end", "Killed by the user", false, {}},
      {"a pattern without words", "4711", false, {{"number", 1, {}}}},
      {"a nearby pattern is no candidate", "4711", true, {}},
      {"nothing", "all is well", false, {}},
      {"empty", "", false, {}},
  };
  for (const Row& row : rows)
    EXPECT_EQ(Fire(patterns, row.text, row.candidates_only), row.expected) << row.name;
}

TEST(MatcherTest, ARejoinedLineMatchesOnlyAcrossItsFirstEnd) {
  const std::vector<Pattern> patterns = Patterns();
  const Matcher matcher(patterns);
  const std::string text = "the CUDA version (13.1) mismatches and Killed";
  struct Row {
    const char* name;
    size_t first;
    size_t expected;
  };
  const Row rows[] = {
      {"the break inside the match", 18, 1},
      {"the match lies before the break", 40, 0},
      {"the match begins behind the break", 3, 0},
  };
  for (const Row& row : rows) {
    std::vector<Match> matches;
    ASSERT_TRUE(matcher.MatchText(text, row.first, false, matches).ok());
    size_t mismatches = 0;
    for (const Match& match : matches)
      mismatches += patterns[match.pattern].name == "mismatch" ? 1 : 0;
    EXPECT_EQ(mismatches, row.expected) << row.name;
  }
}

TEST(MatcherTest, CutsEvidenceBetweenCharacters) {
  const std::vector<Pattern> patterns = Patterns();
  const Matcher matcher(patterns);
  for (size_t shift = 0; shift < 3; ++shift) {
    std::string text = "CUDA version (13.1) mismatches" + std::string(shift, '.');
    while (text.size() <= kMaxEvidenceBytes) text.append("\xE2\x94\x82");
    std::vector<Match> matches;
    ASSERT_TRUE(matcher.MatchText(text, text.size(), false, matches).ok());
    ASSERT_EQ(matches.size(), 1u);
    EXPECT_TRUE(matches[0].is_cut);
    EXPECT_LE(matches[0].text.size(), kMaxEvidenceBytes);
    EXPECT_GT(matches[0].text.size(), kMaxEvidenceBytes - 4);
    EXPECT_EQ((matches[0].text.size() - 30 - shift) % 3, 0u) << "a character is cut in two";
  }
}

TEST(MatcherTest, ThreadsShareOne) {
  const std::vector<Pattern> patterns = Patterns();
  const Matcher matcher(patterns);
  std::vector<size_t> counts(4, 0);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < counts.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) {
        std::vector<Match> matches;
        if (matcher.MatchText("CUDA version (13.1) mismatches", 30, false, matches).ok())
          counts[t] += matches.size();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(counts, ElementsAre(200u, 200u, 200u, 200u));
}

TEST(MatcherTest, SaysWhenAnExpressionNeedsTooMuch) {
  std::vector<Pattern> patterns = {MakePattern("huge", {"mismatches"})};
  patterns[0].regexes[0] = "mismatches\\pL{1,900}x";
  const Matcher matcher(patterns);
  std::vector<Match> matches;
  const std::string text = "mismatches";
  const absl::Status status = matcher.MatchText(text, text.size(), false, matches);
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_NE(status.message().find("huge"), absl::string_view::npos) << status;
}

}  // namespace
}  // namespace cudadoctor

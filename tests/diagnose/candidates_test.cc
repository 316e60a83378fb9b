#include "diagnose/candidates.h"

#include <string>
#include <vector>

#include "diagnose/small_rules.h"
#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

// A cause "cause" whose signatures are the given JSON.
SourceFile WithSignatures(const std::string& signatures, const std::string& status = "stable") {
  return {
      "test/cause.toml",
      R"({"id": "cause", "group": "test", "status": ")" + status +
          R"(", "retry": "source", "title": "t", "explanation": "e", "captures": {"version": {"type": "version"}}, "signatures": [)" +
          signatures + "]}"};
}

std::string Signature(const std::string& name, const std::string& confidence,
                      const std::string& rest) {
  return R"({"name": ")" + name + R"(", "confidence": ")" + confidence + R"(", )" + rest + "}";
}

std::string Term(const std::string& word, const std::string& more = "") {
  return R"({"name": ")" + word + R"(", "pattern": ")" + word + R"(word")" + more + "}";
}

// "signature, confidence @lines of evidence" of each candidate.
std::string Candidates(const SourceFile& cause, const std::string& log,
                       const std::string& cleared = "nothing is cleared") {
  SmallRules rules({cause});
  rules.Diagnose(log);
  UnitMatches matches(rules.rules->patterns().size());
  for (const Match& match : rules.matches) matches.Add(&match);
  const Resolver resolver(rules.findings->facts, rules.rules->derived(), *rules.knowledge);
  const auto candidates = FindCandidates(
      *rules.rules, matches, 1, resolver, [&](const Match& match) { return match.text == cleared; },
      nullptr);
  EXPECT_TRUE(candidates.ok()) << candidates.status();
  std::string text;
  for (const Candidate& candidate : *candidates) {
    text += (text.empty() ? "" : "; ") + candidate.signature->name + ", " +
            std::to_string(static_cast<int>(candidate.confidence)) + " @";
    for (const Match* match : candidate.evidence) text += " " + std::to_string(match->first_line);
  }
  return text;
}

TEST(FindCandidatesTest, ASignatureHoldsWhenAllFireAndNoneDoes) {
  const SourceFile cause =
      WithSignatures(Signature("s", "certain",
                               R"("all": [)" + Term("first") + ", " + Term("second") +
                                   R"(], "none": [)" + Term("third") + "]"));
  struct Row {
    const char* name;
    const char* log;
    const char* expected;
  };
  const Row rows[] = {
      {"both", "firstword\nsecondword\n", "s, 2 @ 1 2"},
      {"in another order", "secondword\nfirstword\n", "s, 2 @ 2 1"},
      {"one line holds both", "secondword firstword\n", "s, 2 @ 1 1"},
      {"the nearest", "secondword\nx\nx\nfirstword\nsecondword\n", "s, 2 @ 4 5"},
      {"one only", "firstword\n", ""},
      {"the other only", "secondword\n", ""},
      {"excluded", "firstword\nsecondword\nthirdword\n", ""},
      {"none", "x\n", ""},
  };
  for (const Row& row : rows) EXPECT_EQ(Candidates(cause, row.log), row.expected) << row.name;
}

TEST(FindCandidatesTest, WithinCountsRawLines) {
  const SourceFile near = WithSignatures(
      Signature("s", "certain",
                R"("all": [)" + Term("first") + ", " + Term("second", R"(, "within": 2)") + "]"));
  EXPECT_EQ(Candidates(near, "firstword\nx\nsecondword\n"), "s, 2 @ 1 3");
  EXPECT_EQ(Candidates(near, "secondword\nx\nfirstword\n"), "s, 2 @ 3 1");
  EXPECT_EQ(Candidates(near, "firstword\nx\nx\nsecondword\n"), "");
  EXPECT_EQ(Candidates(near, "firstword\nx\nx\nfirstword\nsecondword\n"), "s, 2 @ 4 5")
      << "the second deciding line holds";
  const SourceFile far =
      WithSignatures(Signature("s", "certain",
                               R"("all": [)" + Term("first") + R"(], "none": [)" +
                                   Term("second", R"(, "within": 2)") + "]"));
  EXPECT_EQ(Candidates(far, "firstword\nx\nsecondword\n"), "");
  EXPECT_EQ(Candidates(far, "firstword\nx\nx\nsecondword\n"), "s, 2 @ 1");
}

TEST(FindCandidatesTest, OfSeveralSignaturesTheMostConfidentThenTheFirst) {
  const std::string two = Signature("weak", "likely", R"("all": [)" + Term("first") + "]") + ", " +
                          Signature("strong", "certain", R"("all": [)" + Term("second") + "]");
  EXPECT_EQ(Candidates(WithSignatures(two), "firstword\nsecondword\n"), "strong, 2 @ 2");
  EXPECT_EQ(Candidates(WithSignatures(two), "firstword\n"), "weak, 1 @ 1");
  EXPECT_EQ(Candidates(WithSignatures(two, "draft"), "firstword\nsecondword\n"), "weak, 1 @ 1")
      << "a draft's certain is likely: the first line decides";
}

TEST(FindCandidatesTest, OneCandidateForEachRole) {
  const std::string two =
      Signature("root", "likely", R"("all": [)" + Term("first") + "]") + ", " +
      Signature("latent", "likely", R"("role": "latent", "all": [)" + Term("second") + "]");
  EXPECT_EQ(Candidates(WithSignatures(two), "firstword\nsecondword\n"),
            "root, 1 @ 1; latent, 1 @ 2");
}

TEST(FindCandidatesTest, ClearedLinesDecideNothingButLatentOnes) {
  const std::string two =
      Signature("root", "likely", R"("all": [)" + Term("first") + "]") + ", " +
      Signature("latent", "likely", R"("role": "latent", "all": [)" + Term("second") + "]");
  EXPECT_EQ(Candidates(WithSignatures(two), "firstword\nsecondword\n", "firstword"),
            "latent, 1 @ 2");
  EXPECT_EQ(Candidates(WithSignatures(two), "firstword\nsecondword\n", "secondword"),
            "root, 1 @ 1; latent, 1 @ 2");
  EXPECT_EQ(Candidates(WithSignatures(two), "firstword\nx firstword\n", "firstword"),
            "root, 1 @ 2");
}

TEST(FindCandidatesTest, ConditionsSeeTheCaptures) {
  const SourceFile cause = WithSignatures(Signature(
      "s", "certain",
      R"x("all": [{"name": "first", "pattern": "firstword (?P<version>\\S+)"}], "where": "version >= '12.8'")x"));
  EXPECT_EQ(Candidates(cause, "firstword 13.0\n"), "s, 2 @ 1");
  EXPECT_EQ(Candidates(cause, "firstword 12.4\n"), "");
  EXPECT_EQ(Candidates(cause, "firstword 12.4\nfirstword 12.10\n"), "s, 2 @ 2");
  EXPECT_EQ(Candidates(cause, "firstword unknown\n"), "s, 0 @ 1")
      << "a condition that cannot be decided leaves it possible";
  const SourceFile latent = WithSignatures(Signature(
      "s", "certain",
      R"x("role": "latent", "all": [{"name": "first", "pattern": "firstword (?P<version>\\S+)"}], "where": "version >= '12.8'")x"));
  EXPECT_EQ(Candidates(latent, "firstword unknown\n"), "");
}

}  // namespace
}  // namespace cudadoctor

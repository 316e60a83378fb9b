#include "match/atoms.h"

#include <algorithm>
#include <cctype>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "match/healthy_lines.h"

namespace cudadoctor {
namespace {

using ::testing::ElementsAreArray;

TEST(ExtractAtomsTest, TakesWordsThatEveryMatchHolds) {
  struct Row {
    const char* name;
    const char* regex;
    bool may_be_frequent;
    std::vector<std::string> expected;
  };
  const Row rows[] = {
      {"the longest word of a sentence", "No\\s+supported\\s+gpu", false, {"supported"}},
      {"in lower case", "MISMATCHES", false, {"mismatches"}},
      {"an alternative needs both",
       "(?:mismatches|unsuitable)",
       false,
       {"mismatches", "unsuitable"}},
      {"a word beside an alternative is enough", "(?:ab|cd) mismatches", false, {"mismatches"}},
      {"what may be missing does not count", "mismatches(?: unsuitable)?", false, {"mismatches"}},
      {"no word", "\\d+\\.\\d+", false, {}},
      {"short words only", "no gpu", false, {"no gpu"}},
      {"an alternative without a word", "mismatches|\\d+", false, {}},
      {"a frequent word does not count", "downloading", false, {}},
      {"a frequent word of a nearby pattern", "downloading", true, {"downloading"}},
  };
  for (const Row& row : rows) {
    const absl::StatusOr<Atoms> atoms = ExtractAtoms(row.regex, row.may_be_frequent);
    ASSERT_TRUE(atoms.ok()) << row.name << ": " << atoms.status();
    EXPECT_THAT(atoms->any, ElementsAreArray(row.expected)) << row.name;
  }
}

TEST(ExtractAtomsTest, RefusesWhatIsNotRe2) {
  for (const char* regex : {"(", "(?=x)", "(?<name>x)", "a\\1", "[z-a]"}) {
    const absl::StatusOr<Atoms> atoms = ExtractAtoms(regex, false);
    EXPECT_EQ(atoms.status().code(), absl::StatusCode::kInvalidArgument) << regex;
    EXPECT_FALSE(atoms.status().message().empty()) << regex;
  }
}

TEST(ExtractAtomsTest, TellsTheWordsThatEveryMatchHolds) {
  struct Row {
    const char* name;
    const char* regex;
    std::vector<std::string> texts;  // that the expression matches
  };
  const Row rows[] = {
      {"a sentence", "No\\s+supported\\s+gpu", {"No supported gpu", "no  SUPPORTED\tgpu"}},
      {"an alternative",
       "(?:mismatches|unsuitable) versions?",
       {"mismatches version", "unsuitable versions"}},
      {"an optional part",
       "version mismatches(?: unsuitable)?",
       {"version mismatches", "version mismatches unsuitable"}},
      {"a repetition", "(?:mismatches )*unsuitable", {"unsuitable", "mismatches unsuitable"}},
      {"letter case ignored", "(?i)MisMatches", {"mismatches", "MISMATCHES"}},
      {"a class", "mis[mn]atches", {"mismatches", "misnatches"}},
      {"no word", "\\d+", {"12"}},
  };
  for (const Row& row : rows) {
    const absl::StatusOr<Atoms> atoms = ExtractAtoms(row.regex, false);
    ASSERT_TRUE(atoms.ok()) << row.name;
    for (std::string text : row.texts) {
      for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      for (const std::string& word : atoms->all)
        EXPECT_NE(text.find(word), std::string::npos)
            << row.name << ": \"" << word << "\" is not in " << text;
      const auto is_in_text = [&](const std::string& word) {
        return text.find(word) != std::string::npos;
      };
      EXPECT_TRUE(atoms->any.empty() ||
                  std::any_of(atoms->any.begin(), atoms->any.end(), is_in_text))
          << row.name << ": " << text;
    }
  }
  EXPECT_THAT(ExtractAtoms("version mismatches", false)->all, ::testing::Contains("mismatches"));
}

std::string Fold(std::string_view text) {
  std::string folded(text);
  for (char& c : folded) c = static_cast<char>(c | 0x20);
  return folded;
}

std::vector<int> NaiveFindAll(const std::vector<std::string>& atoms, std::string_view text) {
  std::vector<int> found;
  const std::string folded = Fold(text);
  for (size_t i = 0; i < atoms.size(); ++i) {
    if (atoms[i].size() >= kMinAtomBytes && folded.find(Fold(atoms[i])) != std::string::npos)
      found.push_back(static_cast<int>(i));
  }
  return found;
}

// Texts over few letters, so that words overlap, repeat and nearly match.
TEST(AtomScannerTest, FindsWhatANaiveSearchFinds) {
  std::mt19937 random(7);
  const std::string letters = "abAB.";
  const auto word = [&](size_t size) {
    std::string text;
    for (size_t i = 0; i < size; ++i) text.push_back(letters[random() % letters.size()]);
    return text;
  };
  for (int round = 0; round < 400; ++round) {
    std::vector<std::string> atoms;
    for (int i = 0; i < 12; ++i) atoms.push_back(word(3 + random() % 7));
    const AtomScanner scanner(atoms);
    for (int t = 0; t < 20; ++t) {
      const std::string text = word(random() % 60);
      std::vector<int> found;
      scanner.FindAll(text, found);
      const std::vector<int> expected = NaiveFindAll(atoms, text);
      ASSERT_EQ(found, expected) << "round " << round << ": " << text;
      EXPECT_EQ(scanner.Find(text, 0) != AtomScanner::npos, !expected.empty()) << text;
    }
  }
}

TEST(AtomScannerTest, FindsAWordAtEachPositionOfEachLine) {
  const std::vector<std::string> atoms = {"mismatches", "killed", "no kernel image", "12.8;",
                                          "\xE2\x95\xB0\xE2\x94\x80"};
  const AtomScanner scanner(atoms);
  for (size_t i = 0; i < atoms.size(); ++i) {
    for (size_t before = 0; before < 9; ++before) {
      for (size_t after = 0; after < 5; ++after) {
        std::string text = std::string(before, '-') + atoms[i] + std::string(after, '-');
        std::vector<int> found;
        scanner.FindAll(text, found);
        EXPECT_EQ(found, std::vector<int>{static_cast<int>(i)}) << text;
        std::transform(text.begin(), text.end(), text.begin(),
                       [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
        scanner.FindAll(text, found);
        EXPECT_EQ(found, std::vector<int>{static_cast<int>(i)}) << text;
        const size_t at = scanner.Find(text, 0);
        EXPECT_GE(at, before) << text;
        EXPECT_LT(at, before + atoms[i].size()) << text;
      }
    }
  }
}

TEST(AtomScannerTest, FindGoesOnFromAPosition) {
  const AtomScanner scanner({"killed"});
  const std::string text = "one killed\ntwo killed\nthree\n";
  const size_t first = scanner.Find(text, 0);
  ASSERT_LT(first, text.find('\n'));
  const size_t second = scanner.Find(text, text.find('\n') + 1);
  EXPECT_GT(second, text.find('\n'));
  EXPECT_LT(second, text.rfind("three"));
  EXPECT_EQ(scanner.Find(text, text.rfind("three")), AtomScanner::npos);
  EXPECT_EQ(scanner.Find(text, text.size()), AtomScanner::npos);
  EXPECT_EQ(scanner.Find("", 0), AtomScanner::npos);
}

TEST(AtomScannerTest, NeverFindsTooShortWords) {
  const AtomScanner scanner({"", "a", "abcd"});
  std::vector<int> found;
  scanner.FindAll("abcd abcd a", found);
  EXPECT_TRUE(found.empty());
}

TEST(HealthyLinesTest, AreInLowerCase) {
  for (const std::string_view line : kHealthyLines) {
    EXPECT_TRUE(std::none_of(line.begin(), line.end(), [](unsigned char c) {
      return std::isupper(c) != 0;
    })) << line;
  }
}

}  // namespace
}  // namespace cudadoctor

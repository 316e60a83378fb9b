#include "rules/rule_set.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rules/record.h"
#include "rules/rule_files_for_test.h"
#include "rules/toml_of.h"

namespace cudadoctor {
namespace {

using ::testing::ElementsAre;

std::vector<SourceFile> All() {
  return {{"host/my-cause.toml", kCauseText},       {"symptoms/my-symptom.toml", kSymptomText},
          {"facts/my-facts.toml", kFactsText},      {"units/my-unit.toml", kUnitText},
          {"remedies/my-remedy.toml", kRemedyText}, {"knowledge/my-table.toml", "a = 1\n"}};
}

std::string Ids(const RuleSet& rules) {
  std::string ids;
  for (const RuleFile& file : rules.files()) ids += (ids.empty() ? "" : " ") + file.id;
  return ids;
}

TEST(RuleSetTest, HoldsItsFilesSortedById) {
  std::vector<SourceFile> files = All();
  for (int i = 0; i < 3; ++i) {
    const auto rules = RuleSet::FromSources(files);
    ASSERT_TRUE(rules.ok()) << rules.status();
    EXPECT_EQ(Ids(**rules), "my-cause my-facts my-remedy my-symptom my-unit");
    EXPECT_EQ((*rules)->patterns().size(), 8u);
    EXPECT_EQ((*rules)->owners().size(), 8u);
    EXPECT_EQ((*rules)->derived().size(), 1u);
    for (size_t p = 0; p < (*rules)->patterns().size(); ++p) {
      const RuleFile& file = (*rules)->files()[(*rules)->owners()[p].file];
      EXPECT_GE(static_cast<int>(p), file.first_pattern);
      EXPECT_LT(static_cast<int>(p), file.first_pattern + file.pattern_count);
    }
    EXPECT_EQ((*rules)->KnowledgeText("my-table"), "{\"a\":1}");
    EXPECT_EQ((*rules)->KnowledgeText("another"), "");
    std::rotate(files.begin(), files.begin() + 2, files.end());
  }
}

TEST(RuleSetTest, FindsFilesCausesAndRemedies) {
  const auto rules = RuleSet::FromSources(All());
  ASSERT_TRUE(rules.ok()) << rules.status();
  ASSERT_NE((*rules)->Find("my-cause"), nullptr);
  EXPECT_EQ((*rules)->Find("my-cause")->origin, "host/my-cause.toml");
  EXPECT_EQ((*rules)->Find("another"), nullptr);
  EXPECT_EQ((*rules)->Find(""), nullptr);
  EXPECT_EQ((*rules)->Find("zzz"), nullptr);
  const auto cause = (*rules)->CauseOf(0);
  ASSERT_TRUE(cause.ok()) << cause.status();
  EXPECT_EQ((*cause)->id, "my-cause");
  EXPECT_EQ(*(*rules)->CauseOf(0), *cause) << "it is parsed once";
  const auto remedy = (*rules)->SharedRemedyOf("my-remedy");
  ASSERT_TRUE(remedy.ok()) << remedy.status();
  EXPECT_EQ((*remedy)->variants.size(), 2u);
  for (const char* id : {"another", "my-cause"}) {
    EXPECT_EQ((*rules)->SharedRemedyOf(id).status().code(), absl::StatusCode::kInvalidArgument)
        << id;
  }
}

TEST(RuleSetTest, AFileOfAnOverlayReplacesThatOfTheSameId) {
  const SourceFile mine = {"mine/ninja-stopped.toml",
                           "id = 'ninja-stopped'\nkind = 'error'\n[[patterns]]\nname = "
                           "'t'\npattern = 'another message'\n"};
  const auto built_in = RuleSet::Create();
  const auto rules = RuleSet::Create({mine, {"knowledge/gpus.toml", "a = 2\n"}});
  ASSERT_TRUE(rules.ok()) << rules.status();
  EXPECT_EQ((*rules)->files().size(), (*built_in)->files().size());
  ASSERT_NE((*rules)->Find("ninja-stopped"), nullptr);
  EXPECT_EQ((*rules)->Find("ninja-stopped")->origin, "mine/ninja-stopped.toml");
  EXPECT_EQ((*rules)->KnowledgeText("gpus"), "{\"a\":2}");
}

TEST(RuleSetTest, FragmentsOfAnOverlayAreForItsOwnFiles) {
  const auto facts = [](const std::string& pattern) {
    return SourceFile{"facts/mine.toml",
                      "id = 'mine'\nfacts = true\n[[patterns]]\nname = 'a'\n"
                      "pattern = '" +
                          pattern + "'\n"};
  };
  const SourceFile fragments = {"fragments.toml",
                                "frob = '{{done}} by'\ndone = ['frobnicated', 'getan']\n"};
  for (const bool is_overlay : {false, true}) {
    const std::vector<SourceFile> files = {facts("^{{frob}} someone"), fragments};
    const auto rules = is_overlay ? RuleSet::Create(files) : RuleSet::FromSources(files);
    ASSERT_TRUE(rules.ok()) << rules.status();
    const RuleFile* file = (*rules)->Find("mine");
    ASSERT_NE(file, nullptr);
    EXPECT_THAT((*rules)->patterns()[file->first_pattern].regexes,
                ElementsAre(R"(^(?:frobnicated|getan)\s+by\s+someone)"));
  }
  EXPECT_EQ(RuleSet::Create({facts("{{frob}} someone")}).status(),
            absl::InvalidArgumentError("facts/mine.toml:5:1: there is no fragment \"frob\"; "
                                       "rules/fragments.toml defines them\n"
                                       "    5 | pattern = '{{frob}} someone'\n"
                                       "      | ^"));
  EXPECT_EQ(RuleSet::Create({{"fragments.toml", "a = 'x'\nb = 7\n"}}).status(),
            absl::InvalidArgumentError("fragments.toml:2:1: must be a list"
                                       "\n    2 | b = 7\n      | ^"));
  EXPECT_EQ(RuleSet::Create({{"fragments.toml", "a = 'x{{a}}'\n"}}).status(),
            absl::InvalidArgumentError("fragments.toml:1:1: a fragment holds itself: a, a\n"
                                       "    1 | a = 'x{{a}}'\n      | ^"));
}

TEST(RuleSetTest, TwoFilesOfOneIdAreRefused) {
  std::vector<SourceFile> files = All();
  files.push_back({"mine/my-symptom.toml",
                   "kind = 'error'\nid = 'my-symptom'\n[[patterns]]\nname = 't'\npattern = "
                   "'another message'\n"});
  EXPECT_EQ(RuleSet::FromSources(files).status(),
            absl::InvalidArgumentError(
                "mine/my-symptom.toml:2:1: another file has the same id; rename one\n"
                "    2 | id = 'my-symptom'\n"
                "      | ^"));
}

TEST(RuleSetTest, SaysWhichFileIsNoRule) {
  for (const auto& [file, message] :
       {std::pair{SourceFile{"a/x.toml", "{"}, "a/x.toml:1:1: not valid TOML: "},
        std::pair{SourceFile{"a/x.toml", "\nid = 'y'\n"}, "a/x.toml:2:1: "},
        std::pair{SourceFile{"knowledge/x.toml", "a = 1\nb\n"}, "knowledge/x.toml:2:"}}) {
    std::vector<SourceFile> files = All();
    files.push_back(file);
    const auto rules = RuleSet::FromSources(files);
    ASSERT_EQ(rules.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(std::string(rules.status().message()).substr(0, std::string(message).size()),
              message);
    EXPECT_EQ(RuleSet::Create({file}).status(), rules.status());
  }
}

TEST(RuleSetTest, TheBuiltInRulesWithAnOverlay) {
  const auto built_in = RuleSet::Create();
  ASSERT_TRUE(built_in.ok()) << built_in.status();
  ASSERT_GT((*built_in)->files().size(), 100u);
  EXPECT_TRUE(std::is_sorted((*built_in)->files().begin(), (*built_in)->files().end(),
                             [](const RuleFile& a, const RuleFile& b) { return a.id < b.id; }));
  EXPECT_FALSE((*built_in)->KnowledgeText("gpus").empty());
  const auto more = RuleSet::Create(All());
  ASSERT_TRUE(more.ok()) << more.status();
  EXPECT_EQ((*more)->files().size(), (*built_in)->files().size() + 5);
}

TEST(RuleSetTest, TheEmbeddedFormIsThatOfTheSources) {
  const auto built_in = RuleSet::Create();
  ASSERT_TRUE(built_in.ok()) << built_in.status();
  std::vector<SourceFile> sources;
  for (const RuleFile& file : (*built_in)->files())
    sources.push_back({file.origin, TomlOf(std::string(file.text))});
  for (const char* table :
       {"gpus", "cuda_toolkits", "torch_releases", "packages", "modules", "headers"}) {
    ASSERT_FALSE((*built_in)->KnowledgeText(table).empty()) << table;
    sources.push_back({std::string("knowledge/") + table + ".toml",
                       TomlOf(std::string((*built_in)->KnowledgeText(table)))});
  }
  Json fragments = Json::object();
  for (const auto& [name, text] : (*built_in)->fragments()) fragments[name] = text;
  sources.push_back({"fragments.toml", TomlOf(WriteJson(fragments))});
  const auto again = RuleSet::FromSources(sources);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_TRUE((*again)->Serialize() == (*built_in)->Serialize());
}

TEST(RecordTest, ReadsBackAndNoticesTheEnd) {
  RecordWriter writer;
  writer.Number(7);
  writer.Text("");
  writer.Text(std::string("a\0b", 3));
  const std::string bytes = writer.Take();
  RecordReader reader(bytes);
  EXPECT_EQ(reader.Number(), 7u);
  EXPECT_EQ(reader.Text(), "");
  EXPECT_EQ(reader.String(), std::string("a\0b", 3));
  EXPECT_TRUE(reader.is_complete());
  EXPECT_EQ(reader.Number(), 0u);
  EXPECT_FALSE(reader.is_complete());
  for (size_t n = 0; n < bytes.size(); ++n) {
    RecordReader cut(std::string_view(bytes).substr(0, n));
    cut.Number();
    cut.Text();
    cut.Text();
    EXPECT_FALSE(cut.is_complete()) << n;
    EXPECT_EQ(cut.Text(), "");
  }
}

}  // namespace
}  // namespace cudadoctor

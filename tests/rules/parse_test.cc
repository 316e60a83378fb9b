#include "rules/parse.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "json/json.h"
#include "rules/rule_files_for_test.h"
#include "toml/toml.h"

namespace cudadoctor {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

// A parsed file with the texts that it refers to.
struct Parsed {
  std::unique_ptr<std::string> json;
  absl::StatusOr<ParsedFile> file;
};

Parsed Parse(std::string_view toml, const std::string& origin) {
  const absl::StatusOr<Json> json = ParseToml(toml, origin);
  EXPECT_TRUE(json.ok()) << json.status();
  Parsed parsed{std::make_unique<std::string>(WriteJson(*json)),
                ParseRuleFile(*json, toml, origin, {})};
  if (parsed.file.ok()) parsed.file->file.text = *parsed.json;
  return parsed;
}

TEST(ParseRuleFileTest, TellsTheKinds) {
  struct Row {
    const char* name;
    std::string text;
    FileKind kind;
    std::vector<PatternRole> roles;
  };
  const std::string error =
      std::string(kSymptomText).replace(std::string(kSymptomText).find("failure"), 7, "error");
  const Row rows[] = {
      {"my-cause", kCauseText, FileKind::kCause,
       std::vector<PatternRole>(4, PatternRole::kSignature)},
      {"my-symptom", kSymptomText, FileKind::kSymptom, {PatternRole::kFailure}},
      {"my-symptom", error, FileKind::kSymptom, {PatternRole::kError}},
      {"my-facts", kFactsText, FileKind::kFacts, {PatternRole::kFact}},
      {"my-unit", kUnitText, FileKind::kUnit, {PatternRole::kUnitBegin, PatternRole::kUnitSuccess}},
      {"my-remedy", kRemedyText, FileKind::kRemedy, {}},
  };
  for (const Row& row : rows) {
    const Parsed read = Parse(row.text, std::string("group/") + row.name + ".toml");
    const absl::StatusOr<ParsedFile>& parsed = read.file;
    ASSERT_TRUE(parsed.ok()) << row.name << ": " << parsed.status();
    EXPECT_EQ(parsed->file.id, row.name);
    EXPECT_EQ(parsed->file.kind, row.kind) << row.name;
    EXPECT_EQ(parsed->roles, row.roles) << row.name;
    EXPECT_EQ(parsed->patterns.size(), row.roles.size()) << row.name;
    EXPECT_EQ(parsed->file.pattern_count, static_cast<int>(row.roles.size())) << row.name;
  }
}

TEST(ParseRuleFileTest, ReadsPatterns) {
  const Parsed read = Parse(kCauseText, "host/my-cause.toml");
  const absl::StatusOr<ParsedFile>& parsed = read.file;
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(parsed->file.group, "host");
  EXPECT_TRUE(parsed->file.is_stable);
  ASSERT_EQ(parsed->patterns.size(), 4u);
  EXPECT_EQ(parsed->patterns[0].name, "a");
  EXPECT_EQ(parsed->patterns[0].regexes.size(), 2u);
  EXPECT_EQ(parsed->patterns[0].atoms.size(), 2u);
  EXPECT_FALSE(parsed->patterns[0].is_nearby);
  EXPECT_TRUE(parsed->patterns[1].is_nearby) << "a pattern that only supports needs no word";
  EXPECT_TRUE(parsed->patterns[2].is_nearby);
  EXPECT_THAT(parsed->patterns[3].sets, ElementsAre(Pair("isolated_build", "yes")));
  ASSERT_EQ(parsed->patterns[0].captures->count("v"), 1u);
  EXPECT_EQ(parsed->patterns[0].captures->at("v").fact, "version");
  EXPECT_EQ(parsed->patterns[0].captures->at("v").type, ValueType::kVersion);
  const Parsed read_facts = Parse(kFactsText, "facts/my-facts.toml");
  const absl::StatusOr<ParsedFile>& facts = read_facts.file;
  ASSERT_TRUE(facts.ok()) << facts.status();
  ASSERT_EQ(facts->derived.size(), 1u);
  EXPECT_EQ(facts->derived[0].fact, "required_version");
  EXPECT_EQ(facts->derived[0].lookup, "min-toolkit");
  EXPECT_THAT(facts->derived[0].arguments, ElementsAre("arch"));
}

TEST(ParseRuleFileTest, FragmentsOfTheFileStandBesideThoseOfAll) {
  const char toml[] =
      "id = 'f'\nfacts = true\n[fragments]\nlocal = ['one', 'two {{shared}}']\n"
      "[[patterns]]\nname = 'p'\npattern = ['frobnication {{local}}', '{{shared}} frobnication']\n";
  const absl::StatusOr<Json> json = ParseToml(toml, "facts/f.toml");
  const absl::StatusOr<ParsedFile> parsed =
      ParseRuleFile(*json, toml, "facts/f.toml", {{"shared", "things"}, {"local", "other"}});
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_THAT(parsed->patterns[0].regexes,
              ElementsAre(R"(frobnication\s+(?:one|two\s+things))", R"(things\s+frobnication)"));
  EXPECT_EQ(ParseRuleFile(*json, toml, "facts/f.toml", {}).status(),
            absl::InvalidArgumentError("facts/f.toml:4:1: there is no fragment \"shared\"; "
                                       "rules/fragments.toml defines them\n"
                                       "    4 | local = ['one', 'two {{shared}}']\n"
                                       "      | ^"));
}

TEST(ParseCauseTest, ReadsEverything) {
  const Parsed read = Parse(kCauseText, "host/my-cause.toml");
  const absl::StatusOr<ParsedFile>& parsed = read.file;
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  const absl::StatusOr<Cause> cause = ParseCause(parsed->file, parsed->patterns);
  ASSERT_TRUE(cause.ok()) << cause.status();
  EXPECT_EQ(cause->id, "my-cause");
  EXPECT_EQ(cause->group, "host");
  EXPECT_EQ(cause->retry, "runner");
  EXPECT_THAT(cause->title, ElementsAre("one {version}", "two"));
  EXPECT_EQ(cause->explanation, "why");
  EXPECT_THAT(cause->explains, ElementsAre("my-symptom"));
  EXPECT_THAT(cause->yields_to, ElementsAre("other-cause"));
  ASSERT_EQ(cause->signatures.size(), 2u);
  const Signature& first = cause->signatures[0];
  EXPECT_EQ(first.name, "first");
  EXPECT_EQ(first.confidence, Confidence::kCertain);
  EXPECT_EQ(first.role, Role::kRoot);
  EXPECT_THAT(first.title, ElementsAre("special"));
  ASSERT_EQ(first.all.size(), 2u);
  EXPECT_EQ(first.all[0].pattern, 0);
  EXPECT_EQ(first.all[0].within, std::nullopt);
  EXPECT_EQ(first.all[1].pattern, 1);
  EXPECT_EQ(first.all[1].within, std::optional<int>(3));
  ASSERT_EQ(first.none.size(), 1u);
  EXPECT_EQ(first.none[0].pattern, 2);
  ASSERT_EQ(first.where.size(), 2u);
  EXPECT_EQ(first.where[0].kind, Condition::Kind::kCompare);
  EXPECT_EQ(first.where[0].part, VersionPart::kMajor);
  EXPECT_EQ(first.where[1].kind, Condition::Kind::kAny);
  ASSERT_EQ(first.where[1].conditions.size(), 2u);
  EXPECT_EQ(first.where[1].conditions[0].kind, Condition::Kind::kNot);
  EXPECT_EQ(first.where[1].conditions[1].kind, Condition::Kind::kNot);
  EXPECT_EQ(first.where[1].conditions[1].conditions.at(0).kind, Condition::Kind::kLookup);
  EXPECT_THAT(first.where[1].conditions[1].conditions.at(0).arguments,
              ElementsAre("version", "'x'"));
  EXPECT_EQ(cause->signatures[1].role, Role::kLatent);
  EXPECT_EQ(cause->signatures[1].confidence, Confidence::kPossible);
  ASSERT_EQ(cause->remedies.size(), 2u);
  const RemedyPlan& fix = cause->remedies[0];
  EXPECT_EQ(fix.id, "fix");
  EXPECT_THAT(fix.needs, ElementsAre("root"));
  ASSERT_EQ(fix.steps.size(), 2u);
  EXPECT_EQ(fix.steps[0].run, "fix {version}");
  ASSERT_TRUE(fix.steps[1].rerun.has_value());
  EXPECT_THAT(fix.steps[1].rerun->env, ElementsAre(Pair("A", "1")));
  EXPECT_THAT(fix.steps[1].rerun->add, ElementsAre("-v"));
  EXPECT_THAT(fix.steps[1].rerun->drop, ElementsAre("-q"));
  ASSERT_TRUE(fix.check.has_value());
  EXPECT_EQ(fix.check->first, "x");
  EXPECT_EQ(cause->remedies[1].use, "my-remedy");
  EXPECT_EQ(cause->remedies[1].id, "my-remedy");
  EXPECT_THAT(cause->avoid, ElementsAre(ElementsAre("plain"), ElementsAre("a {version}", "b")));
  ASSERT_EQ(cause->references.size(), 1u);
  EXPECT_EQ(cause->references[0].url, "https://x");
}

TEST(ParseSharedRemedyTest, AVariantMayHaveATitleOfItsOwn) {
  const Parsed read = Parse(kRemedyText, "remedies/my-remedy.toml");
  const absl::StatusOr<ParsedFile>& parsed = read.file;
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  const absl::StatusOr<SharedRemedy> remedy = ParseSharedRemedy(parsed->file);
  ASSERT_TRUE(remedy.ok()) << remedy.status();
  EXPECT_THAT(remedy->parameters, ElementsAre("version"));
  ASSERT_EQ(remedy->variants.size(), 2u);
  EXPECT_THAT(remedy->variants[0].title, ElementsAre("inside"));
  EXPECT_THAT(remedy->variants[1].title, ElementsAre());
  EXPECT_THAT(remedy->title, ElementsAre("shared"));
}

TEST(ParseExamplesTest, ReadsBothLists) {
  const Parsed read = Parse(kCauseText, "host/my-cause.toml");
  const absl::StatusOr<ParsedFile>& parsed = read.file;
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  const absl::StatusOr<Examples> examples = ParseExamples(parsed->file);
  ASSERT_TRUE(examples.ok()) << examples.status();
  ASSERT_EQ(examples->examples.size(), 1u);
  EXPECT_EQ(examples->examples[0].line, 1);
  EXPECT_THAT(examples->examples[0].facts, ElementsAre(Pair("version", "12.8")));
  EXPECT_THAT(examples->examples[0].log, ElementsAre("frobnication of 12.8 failed", "7"));
  ASSERT_EQ(examples->counter_examples.size(), 1u);
  EXPECT_EQ(examples->counter_examples[0].name, "ce");
}

// Files from outside (--rules) may hold anything: an error, never a crash.
TEST(ParseRuleFileTest, AnyJsonGivesAnErrorAtMost) {
  const char* const texts[] = {
      "[]",
      "7",
      "null",
      "\"x\"",
      "{}",
      R"({"id": 7})",
      R"({"id": "x", "signatures": 7})",
      R"({"id": "x", "group": "g", "status": "draft", "signatures": [7]})",
      R"({"id": "x", "group": "g", "status": "draft", "signatures": [{"all": 7}]})",
      R"({"id": "x", "group": "g", "status": "draft", "signatures": [{"all": [7]}]})",
      R"({"id": "x", "kind": 7})",
      R"({"id": "x", "facts": true, "patterns": {}})",
      R"({"id": "x", "facts": true, "derived": [7]})",
      R"({"id": "x", "facts": true, "captures": [1]})",
      R"({"id": "x", "unit": []})",
      R"({"id": "x", "captures": {"v": 7}, "facts": true})",
      R"({"id": "x", "variants": 7})",
      R"({"id": "x", "facts": true, "patterns": [{"name": "n", "pattern": 7}]})",
  };
  for (const char* text : texts) {
    absl::StatusOr<ParsedFile> parsed = ParseRuleFile(*ParseJson(text, "x"), "", "x.toml", {});
    if (!parsed.ok()) {
      EXPECT_EQ(parsed.status().code(), absl::StatusCode::kInvalidArgument) << text;
      EXPECT_EQ(std::string(parsed.status().message()).substr(0, 6), "x.toml") << parsed.status();
      continue;
    }
    parsed->file.text = text;
    if (parsed->file.kind == FileKind::kRemedy) {
      EXPECT_FALSE(ParseSharedRemedy(parsed->file).ok()) << text;
    }
  }
}

TEST(ParseSharedRemedyTest, AnyVariantsGiveAnErrorAtMost) {
  for (const char* text :
       {R"({"id": "x", "remedy": true, "variants": [7]})",
        R"({"id": "x", "remedy": true, "variants": [{"steps": [{"note": "n"}]}]})",
        R"({"id": "x", "remedy": true, "title": "t", "variants": [[]]})",
        R"({"id": "x", "remedy": true, "title": 7, "variants": [{}]})"}) {
    absl::StatusOr<ParsedFile> parsed =
        ParseRuleFile(*ParseJson(text, "x"), "", "remedies/x.toml", {});
    if (!parsed.ok()) continue;
    parsed->file.text = text;
    EXPECT_FALSE(ParseSharedRemedy(parsed->file).ok()) << text;
  }
}

TEST(ParseExamplesTest, AnyExamplesGiveAnErrorAtMost) {
  for (const char* text :
       {R"({"id": "x", "facts": true, "examples": 7})",
        R"({"id": "x", "facts": true, "examples": [7]})",
        R"({"id": "x", "facts": true, "examples": {"a": 1}})",
        R"({"id": "x", "facts": true, "examples": [{"name": "n", "log": ["x"]}]})"}) {
    absl::StatusOr<ParsedFile> parsed =
        ParseRuleFile(*ParseJson(text, "x"), "", "facts/x.toml", {});
    if (!parsed.ok()) continue;
    parsed->file.text = text;
    EXPECT_FALSE(ParseExamples(parsed->file).ok()) << text;
  }
}

}  // namespace
}  // namespace cudadoctor

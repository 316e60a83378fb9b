#include "diagnose/units.h"

#include <string>

#include "diagnose/small_rules.h"
#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

// "id kind name first-last" of each unit.
std::string Units(const std::string& log) {
  std::vector<SourceFile> files = UnitFiles();
  files.push_back(SymptomFile("wheel-failed", "^WHEELFAILED"));
  SmallRules rules(files);
  rules.Diagnose(log);
  const UnitList list(*rules.rules, rules.matches,
                      static_cast<int>(std::count(log.begin(), log.end(), '\n')));
  std::string text;
  for (const Unit& unit : list.units()) {
    text += (text.empty() ? "" : "; ") + std::to_string(unit.id) + " " + unit.kind + " " +
            unit.name + " " + std::to_string(unit.first_line) + "-" +
            std::to_string(unit.last_line);
  }
  for (const Match& match : rules.matches) {
    const RuleFile& file = rules.rules->files()[rules.rules->owners()[match.pattern].file];
    if (file.id == "wheel-failed")
      text += "; failure at " + std::to_string(match.first_line) + " in " +
              std::to_string(list.UnitOf(match));
  }
  return text;
}

TEST(UnitListTest, CutsALogIntoUnits) {
  struct Row {
    const char* name;
    const char* log;
    const char* expected;
  };
  const Row rows[] = {
      {"empty", "", "1 command  0-0"},
      {"one", "x\ny\n", "1 command  1-2"},
      {"a build names it", "x\nSTARTBUILD foo\ny\n", "1 package-build foo 1-3"},
      {"the first build names it", "STARTBUILD foo\nSTARTBUILD bar\n", "1 package-build foo 1-2"},
      {"steps follow each other", "x\nBEGINSTEP one\ny\nBEGINSTEP two\nWHEELFAILED\n",
       "1 command  1-1; 2 ci-step one 2-3; 3 ci-step two 4-5; failure at 5 in 3"},
      {"a step from the first line", "BEGINSTEP one\nWHEELFAILED\n",
       "1 command  1-0; 2 ci-step one 1-2; failure at 2 in 2"},
      {"BuildKit's steps run side by side",
       "#7 [a 1/2] EXECUTE x\n#8 [b 1/2] EXECUTE y\n#7 1.0 WHEELFAILED\n#8 1.0 WHEELFAILED\n",
       "1 command  1-4; 2 docker-step a 1/2 1-3; 3 docker-step b 1/2 2-4; failure at 3 in 2; "
       "failure at 4 in 3"},
  };
  for (const Row& row : rows)
    EXPECT_EQ(Units(row.log), row.expected) << row.name << ":\n" << row.log;
}

}  // namespace
}  // namespace cudadoctor

#include "remedy/template.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

std::optional<HoleValue> Fill(std::string_view name) {
  static const std::map<std::string, HoleValue, std::less<>> values = {
      {"torch_cuda", {ValueType::kVersion, "12.8"}},
      {"torch_version", {ValueType::kVersion, "2.10.0+cu128"}},
      {"arch", {ValueType::kArchitecture, "sm_120"}},
      {"capability", {ValueType::kVersion, "12.0"}},
      {"path", {ValueType::kPath, "/opt/my cuda"}},
      {"archs", {ValueType::kArchList, "80;90"}},
      {"symbol", {ValueType::kSymbol, "f(a) $(id)"}},
      {"requirement", {ValueType::kRequirement, "x>=3,<4"}},
      {"words", {ValueType::kText, "$(id); it's"}},
      {"command", {ValueType::kCommand, "pip install x; id"}},
      {"pip", {ValueType::kWord, "uv pip", true}},
      {"one", {ValueType::kInteger, "1"}},
      {"seven", {ValueType::kInteger, "7"}},
      {"sudo", {ValueType::kWord, "", true}},
      {"name", {ValueType::kPackage, "Flash_Attn"}},
  };
  const auto found = values.find(name);
  if (found == values.end()) return std::nullopt;
  return found->second;
}

TEST(FillTemplateTest, FillsEachHoleOrNothing) {
  struct Row {
    const char* name;
    Target target;
    const char* text;
    std::optional<std::string> expected;
  };
  const Row rows[] = {
      {"no hole", Target::kText, "plain {} { x } ${HOME} {X}", "plain {} { x } ${HOME} {X}"},
      {"a hole", Target::kText, "CUDA {torch_cuda}", "CUDA 12.8"},
      {"filters", Target::kText,
       "{torch_cuda|dash} {torch_cuda|cu} {torch_cuda|major} {torch_version|minor} "
       "{torch_version|base} {torch_cuda|nodot} {name|lower}",
       "12-8 cu128 12 2.10 2.10.0 128 flash_attn"},
      {"a count", Target::kText, "{one|jobs} {seven|jobs}", "1 job 7 jobs"},
      {"architectures", Target::kText, "{arch|sm} {arch|dot} {capability|sm}", "120 12.0 120"},
      {"one filter after another", Target::kText, "{torch_version|base|dash}", "2-10-0"},
      {"a filter that does not fit", Target::kText, "{name|sm}", std::nullopt},
      {"no such filter", Target::kText, "{torch_cuda|upper}", std::nullopt},
      {"an unknown hole", Target::kText, "x {unknown} y", std::nullopt},
      {"an optional part", Target::kText, "torch[[=={torch_version|base}]]", "torch==2.10.0"},
      {"an optional part left out", Target::kText, "torch[[=={unknown}]] y", "torch y"},
      {"brackets of TOML", Target::kText, "[[x", "[[x"},
      {"any text in a text", Target::kText, "{words}", "$(id); it's"},
      {"quoted in a command", Target::kCommand, "ls {path}", "ls '/opt/my cuda'"},
      {"a list in a command", Target::kCommand, "A={archs} x", "A='80;90' x"},
      {"a text enters no command", Target::kCommand, "echo {words}", std::nullopt},
      {"a text is left out of a command", Target::kCommand, "echo[[ {words}]]", "echo"},
      {"a command enters no command", Target::kCommand, "{command}", std::nullopt},
      {"our own words", Target::kCommand, "{sudo}{pip} install {name}",
       "uv pip install Flash_Attn"},
      {"unquoted for an assignment", Target::kAssignment, "{path}/bin:$PATH",
       "/opt/my cuda/bin:$PATH"},
      {"a text enters no assignment", Target::kAssignment, "{words}", std::nullopt},
      {"empty", Target::kCommand, "", ""},
  };
  for (const Row& row : rows)
    EXPECT_EQ(FillTemplate(row.text, row.target, Fill), row.expected)
        << row.name << ": " << row.text;
}

// Rules write 'torch<{version}' and '{symbol}': the quotes of the rule and those of the value must
// not cancel out.
TEST(FillTemplateTest, AHoleInsideQuotesStaysInsideThem) {
  struct Row {
    const char* name;
    const char* text;
    const char* expected;
  };
  const Row rows[] = {
      {"a plain value", "pip install 'torch<{torch_cuda}'", "pip install 'torch<12.8'"},
      {"a value with blanks", "ls '{path}'", "ls '/opt/my cuda'"},
      {"a requirement", "uv venv --python '{requirement}' x", "uv venv --python 'x>=3,<4' x"},
      {"a substitution", "c++filt '{symbol}'", "c++filt 'f(a) $(id)'"},
      {"behind the quotes again", "echo 'x' {path}", "echo 'x' '/opt/my cuda'"},
  };
  for (const Row& row : rows)
    EXPECT_EQ(FillTemplate(row.text, Target::kCommand, Fill),
              std::optional<std::string>(row.expected))
        << row.name;
}

TEST(FillTextsTest, TakesTheFirstThatCanBeFilled) {
  EXPECT_EQ(FillTexts({"a {unknown}", "b {torch_cuda}", "c"}, Fill), "b 12.8");
  EXPECT_EQ(FillTexts({"a {unknown}"}, Fill), "");
  EXPECT_EQ(FillTexts({}, Fill), "");
}

TEST(HolesOfTest, NamesHolesWithoutFilters) {
  EXPECT_EQ(HolesOf("{a|dash} [[{b}]] ${C} {D} {e_1}"),
            (std::vector<std::string>{"a", "b", "e_1"}));
  EXPECT_TRUE(HolesOf("no {} hole").empty());
}

}  // namespace
}  // namespace cudadoctor

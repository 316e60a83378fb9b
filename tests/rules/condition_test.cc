#include "rules/condition.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

// The parsed form, spelled out.
std::string Spell(const Condition& c) {
  using Kind = Condition::Kind;
  const auto inner = [&c](const char* name) {
    std::vector<std::string> parts;
    for (const Condition& condition : c.conditions) parts.push_back(Spell(condition));
    return absl::StrCat(name, "(", absl::StrJoin(parts, ", "), ")");
  };
  switch (c.kind) {
    case Kind::kPresent:
      return c.fact;
    case Kind::kIs:
      return absl::StrCat(c.fact, " is ", absl::StrJoin(c.values, "|"));
    case Kind::kMatches:
      return absl::StrCat(c.fact, " matches ", c.values.at(0));
    case Kind::kCompare:
      return absl::StrCat(c.fact, " ", c.op,
                          c.part == VersionPart::kMajor   ? " major "
                          : c.part == VersionPart::kMinor ? " minor "
                                                          : " ",
                          c.other.empty() ? "'" + c.values.at(0) + "'" : c.other);
    case Kind::kLookup:
      return absl::StrCat(c.lookup, "(", absl::StrJoin(c.arguments, ", "), ") is ", c.values.at(0));
    case Kind::kAny:
      return inner("any");
    case Kind::kAll:
      return inner("all");
    case Kind::kNot:
      return inner("not");
    case Kind::kKnown:
      return inner("known");
  }
  return "";
}

std::string Read(const std::string& text) {
  size_t at = 0;
  const absl::StatusOr<std::vector<Condition>> conditions = ParseConditions(text, at);
  if (!conditions.ok()) return std::string(conditions.status().message());
  std::vector<std::string> parts;
  for (const Condition& condition : *conditions) parts.push_back(Spell(condition));
  return absl::StrJoin(parts, "; ");
}

TEST(ParseConditionsTest, ReadsExpressions) {
  const char* const rows[][2] = {
      {"torch_cuda", "torch_cuda"},
      {" torch_cuda\n and not rocm ", "torch_cuda; not(rocm)"},
      {"torch_cuda.major != toolkit_cuda.major", "torch_cuda != major toolkit_cuda"},
      {"a.minor<='12.8' and b == c", "a <= minor '12.8'; b == c"},
      {"toolkit_cuda == '11.8'", "toolkit_cuda == '11.8'"},
      {"tool == 'uv' and tool != \"pip\"", "tool is uv; not(tool is pip)"},
      {"tool in ['pip', 'uv'] and n not in ['1']", "tool is pip|uv; not(n is 1)"},
      {"notable and orange or android", "any(all(notable, orange), android)"},
      {"x matches '^(a|b) c'", R"(x matches ^(a|b)\s+c)"},
      {"toolkit_compiles(toolkit_cuda, 'x y') == 'no'",
       "toolkit-compiles(toolkit_cuda, 'x y') is no"},
      {"not (a or b) and not not c", "not(any(a, b)); not(not(c))"},
      {"(a and b) or not d == '1'", "any(all(a, b), not(d == '1'))"},
      {"((a))", "a"},
      {"not known(tool == 'uv' or a) and known", "not(known(any(tool is uv, a))); known"},
      {"known(a", "at the end: \")\" is expected"},
      {"", "at the end: a fact, a look-up, not or \"(\" is expected"},
      {"a and", "at the end: a fact, a look-up, not or \"(\" is expected"},
      {"a and and b", "at \"and b\": a fact, a look-up, not or \"(\" is expected"},
      {"a b", "at \"b\": and, or, or the end is expected"},
      {"(a", "at the end: \")\" is expected"},
      {"a.patch == '1'", "at \"patch == '1'\": major or minor is expected"},
      {"a.major", "at the end: a comparison of versions is expected"},
      {"a.major == b",
       "a and b must be compared by the same part: write .major or .minor behind both"},
      {"a >= 'uv'", "'uv' is no version: only == and != compare text"},
      {"a in 'x'", "at \"'x'\": a list, ['…', '…'], is expected"},
      {"a in ['x'", "at the end: \",\" or \"]\" is expected"},
      {"a == 'x", "at \"'x\": a text in quotes is expected"},
      {"f(a)", "at the end: == and what the look-up answers is expected"},
      {"f(a == 'x'", "at \"== 'x'\": \",\" or \")\" is expected"},
      {"f(a.major) == 'x'", "an argument of a look-up has no .major or .minor"},
      {"a matches '(?=x)'", "not valid RE2: invalid perl operator: (?="},
  };
  for (const auto& [text, spelled] : rows) EXPECT_EQ(Read(text), spelled) << text;
  size_t at = 0;
  EXPECT_FALSE(ParseConditions("a and and b", at).ok());
  EXPECT_EQ(at, 6u);
  EXPECT_NE(Read(std::string(100000, '(')).find("less nesting"), std::string::npos);
  std::string nots = "a";
  for (int i = 0; i < 100000; ++i) nots = i == 0 ? nots : nots;
  EXPECT_NE(Read(std::string(60, ' ') +
                 [] {
                   std::string text;
                   for (int i = 0; i < 1000; ++i) text += "not ";
                   return text;
                 }() +
                 "a")
                .find("less nesting"),
            std::string::npos);
}

}  // namespace
}  // namespace cudadoctor

#include "remedy/script.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

std::string Spell(const Word& word) {
  std::string text;
  for (const Piece& piece : word.pieces)
    absl::StrAppend(&text, piece.is_variable ? "$(" : "", piece.text, piece.is_variable ? ")" : "");
  return text;
}

// "[name=value] word|word >file;" of each command.
std::string Read(const std::string& text) {
  const auto commands = ReadScript(text);
  if (!commands.has_value()) return "(nothing)";
  std::string spelled;
  for (const SimpleCommand& command : *commands) {
    for (const auto& [name, value] : command.env)
      absl::StrAppend(&spelled, "[", name, "=", Spell(value), "]");
    for (const Word& word : command.words) absl::StrAppend(&spelled, Spell(word), "|");
    if (command.output.has_value())
      absl::StrAppend(&spelled, command.appends ? ">>" : ">", Spell(*command.output));
    spelled += ";";
  }
  return spelled;
}

TEST(ReadScriptTest, ReadsSimpleCommands) {
  const char* const rows[][2] = {
      {"a b", "a|b|;"},
      {"a && b\nc", "a|;b|;c|;"},
      {"A=1 B='x y' c", "[A=1][B=x y]c|;"},
      {"A= c", "[A=]c|;"},
      {"a A=1", "a|A=1|;"},
      {"a \\\n  b", "a|b|;"},
      {"a 'b c'\"d $E f\"${G}h", "a|b cd $(E) f$(G)h|;"},
      {"a '' b", "a||b|;"},
      {"a ~/b x~", "a|$(HOME)/b|x~|;"},
      {"a \\'b", "a|'b|;"},
      {"a b > c", "a|b|>c;"},
      {"a b>>c", "a|b|>>c;"},
      {"> c", ""},
      {"", ""},
      {"a | b", "(nothing)"},
      {"a; b", "(nothing)"},
      {"a $(b)", "(nothing)"},
      {"a `b`", "(nothing)"},
      {"a \"`b`\"", "(nothing)"},
      {"a < b", "(nothing)"},
      {"a & b", "(nothing)"},
      {"(a)", "(nothing)"},
      {"a 'b", "(nothing)"},
      {"a \"b", "(nothing)"},
      {"a ${b", "(nothing)"},
      {"a >", "(nothing)"},
      {"a # b", "(nothing)"},
  };
  for (const auto& [text, spelled] : rows) EXPECT_EQ(Read(text), spelled) << text;
}

}  // namespace
}  // namespace cudadoctor

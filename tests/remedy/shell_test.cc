#include "remedy/shell.h"

#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "remedy/shell_for_test.h"

namespace cudadoctor {
namespace {

TEST(ShellQuoteTest, QuotesOnlyWhatItMust) {
  struct Row {
    const char* word;
    const char* expected;
  };
  const Row rows[] = {
      {"flash-attn==2.8.3", "flash-attn==2.8.3"},
      {"/usr/local/cuda-12.8", "/usr/local/cuda-12.8"},
      {"a@b%c+d:e,f", "a@b%c+d:e,f"},
      {"", "''"},
      {"a b", "'a b'"},
      {"torch>=2", "'torch>=2'"},
      {"80;90", "'80;90'"},
      {"it's", "'it'\\''s'"},
      {"$(id)", "'$(id)'"},
      {"`id`", "'`id`'"},
      {"~", "'~'"},
      {"*", "'*'"},
      {"a\nb", "'a\nb'"},
      {"#x", "'#x'"},
      {"!x", "'!x'"},
      {"{a,b}", "'{a,b}'"},
      {"a\\b", "'a\\b'"},
      {"\xE2\x94\x82", "'\xE2\x94\x82'"},
  };
  for (const Row& row : rows) EXPECT_EQ(ShellQuote(row.word), row.expected) << row.word;
}

TEST(ShellQuoteTest, ARealShellReadsTheWordBack) {
  std::vector<std::string> words = {"a b",   "",      "it's", "'",     "''", "\\", "\\'",
                                    "$HOME", "$(id)", "`id`", "a\nb",  "-n", "--", "!",
                                    "*",     "~",     "a;b",  "x=y z", "#",  "\"", "\xE9\xFF"};
  std::mt19937 random(11);
  const std::string letters = "a '\"\\$`!*?[]{}()<>|&;#~=\n\t-";
  for (int i = 0; i < 60; ++i) {
    std::string word;
    for (size_t n = random() % 12; n > 0; --n) word.push_back(letters[random() % letters.size()]);
    words.push_back(word);
  }
  std::string script = "printf '<%s>'";
  std::string expected;
  for (const std::string& word : words) {
    script += " " + ShellQuote(word);
    expected += "<" + word + ">";
  }
  EXPECT_EQ(RunShell(script), expected);
}

TEST(QuoteAssignmentTest, AShellFillsInVariablesAndNothingElse) {
  struct Row {
    const char* name;
    const char* value;
    const char* assigned;  // where HOME is "/h x"
  };
  const Row rows[] = {
      {"a plain value", "12.0", "12.0"},
      {"a list", "80;90", "80;90"},
      {"a variable at the end", "/usr/local/cuda-12.8/bin:$HOME", "/usr/local/cuda-12.8/bin:/h x"},
      {"a variable at the start", "$HOME/x y", "/h x/x y"},
      {"two variables", "$HOME:$HOME", "/h x:/h x"},
      {"a substitution is none", "$(echo no)", "$(echo no)"},
      {"braces are none", "${HOME}", "${HOME}"},
      {"behind a variable", "$HOME$(echo no)`echo no`;x", "/h x$(echo no)`echo no`;x"},
      {"a positional parameter is none", "$1", "$1"},
      {"a dollar alone", "a$", "a$"},
      {"a quote", "it's", "it's"},
      {"empty", "", ""},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(RunShell("HOME='/h x'; X=" + QuoteAssignment(row.value) + "; printf %s \"$X\""),
              row.assigned)
        << row.name << ": " << QuoteAssignment(row.value);
  }
  EXPECT_EQ(QuoteAssignment("/usr/local/cuda-12.8/bin:$PATH"), "/usr/local/cuda-12.8/bin:$PATH")
      << "plain values stay plain";
}

std::string Describe(const std::optional<CommandLine>& command) {
  if (!command.has_value()) return "refused";
  std::string text;
  for (const auto& [name, value] : command->env) text += name + "=<" + value + "> ";
  for (const std::string& word : command->words) text += "<" + word + ">";
  return text;
}

TEST(ParseCommandLineTest, TakesTheCommandApart) {
  struct Row {
    const char* name;
    const char* line;
    const char* expected;
  };
  const Row rows[] = {
      {"plain", "pip install flash-attn", "<pip><install><flash-attn>"},
      {"the header's example", "$ MAX_JOBS=8 pip install 'torch>=2.1' 2>&1 | tee log",
       "MAX_JOBS=<8> <pip><install><torch>=2.1>"},
      {"a prompt of Jupyter", "!pip install x", "<pip><install><x>"},
      {"double quotes", "pip install \"torch >= 2.1\"", "<pip><install><torch >= 2.1>"},
      {"quotes inside a word", "pip install torch'>='2.1", "<pip><install><torch>=2.1>"},
      {"a requirement without quotes", "pip install torch>=2.1 x<3",
       "<pip><install><torch>=2.1><x<3>"},
      {"sudo and env", "sudo -H env A=1 B='x y' python3.12 setup.py install",
       "A=<1> B=<x y> <python3.12><setup.py><install>"},
      {"a path to the tool", "/opt/venv/bin/pip install x", "</opt/venv/bin/pip><install><x>"},
      {"a pipe", "uv pip install x | tail -30", "<uv><pip><install><x>"},
      {"a redirection", "uv pip install x > log.txt", "<uv><pip><install><x>"},
      {"an empty word", "pip install x --config-settings ''",
       "<pip><install><x><--config-settings><>"},
      {"the star of a version", "pip install torch==2.*", "<pip><install><torch==2.*>"},
      {"an option that breaks", "pip install --break-system-packages x", "<pip><install><x>"},
      {"an option that trusts", "pip install --trusted-host pypi.org x --trusted-host=a",
       "<pip><install><x>"},
      {"what is masked", "pip install --index-url https://***@host/simple x",
       "<pip><install><--index-url><https://***@host/simple><x>"},
      {"a user of git is none", "pip install git+ssh://git@github.com/x/y",
       "<pip><install><git+ssh://git@github.com/x/y>"},
      {"no tool", "rm -rf build", "refused"},
      {"a tool alone", "pip", "refused"},
      {"nothing", "", "refused"},
      {"two commands", "pip install x; rm -rf ~", "refused"},
      {"two commands, and", "cd x && pip install .", "refused"},
      {"two commands, or", "pip install x || true", "refused"},
      {"in the background", "pip install x &", "refused"},
      {"a substitution", "pip install $(cat x)", "refused"},
      {"backticks", "pip install `cat x`", "refused"},
      {"a substitution in double quotes", "pip install \"$(cat x)\"", "refused"},
      {"a variable", "pip install $PKG", "refused"},
      {"an open quote", "pip install 'x", "refused"},
      {"a glob", "pip install *.whl", "refused"},
      {"a home folder", "pip install ~/x", "refused"},
      {"a control character", "pip install x\x1b[2J", "refused"},
      {"another alphabet", "pip install caf\xC3\xA9", "refused"},
      {"a here document", "python - <<EOF", "refused"},
      {"a backslash", "pip install x\\ y", "refused"},
  };
  for (const Row& row : rows)
    EXPECT_EQ(Describe(ParseCommandLine(row.line)), row.expected) << row.name << ": " << row.line;
  EXPECT_FALSE(ParseCommandLine("pip install " + std::string(1000, 'x')).has_value());
}

TEST(WriteCommandLineTest, ARealShellReadsItBack) {
  const char* const lines[] = {"pip install flash-attn",
                               "A='x y' B=8.0 pip install 'torch>=2.1' \"a b\" x<3",
                               "uv pip install 'foo[bar]' --index-url 'https://x/?a=1&b=2'"};
  for (const char* line : lines) {
    const std::optional<CommandLine> command = ParseCommandLine(line);
    ASSERT_TRUE(command.has_value()) << line;
    const std::string written = WriteCommandLine(*command);
    EXPECT_EQ(Describe(ParseCommandLine(written)), Describe(command)) << written;
    std::string expected;
    for (const std::string& word : command->words) expected += "<" + word + ">";
    const std::string tool = command->words.front();
    EXPECT_EQ(RunShell(tool + "() { printf '<%s>' " + tool + " \"$@\"; }; " + written), expected)
        << written;
  }
}

// A literal dollar of the user's command, in single quotes, would be taken for a variable of ours.
TEST(ParseCommandLineTest, RefusesALiteralDollarInAnAssignment) {
  EXPECT_FALSE(ParseCommandLine("X='a$HOME' pip install x").has_value());
}

}  // namespace
}  // namespace cudadoctor

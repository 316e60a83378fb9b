#include "redact/substitute.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "remedy/shell_for_test.h"

namespace cudadoctor {
namespace {

struct Hidden {
  const char* text;
  const char* variable;
  bool is_quoted_alone;
};

// Every place of each text in `command`.
std::vector<VariablePart> PartsOf(const std::string& command, const std::vector<Hidden>& hidden) {
  std::vector<VariablePart> parts;
  for (size_t i = 0; i < command.size(); ++i) {
    for (const Hidden& one : hidden) {
      const std::string text = one.text;
      if (command.compare(i, text.size(), text) != 0) continue;
      parts.push_back({i, i + text.size(), one.variable, one.is_quoted_alone});
      i += text.size() - 1;
      break;
    }
  }
  return parts;
}

const std::vector<Hidden> kHidden = {{"/home/alice", "HOME", false},
                                     {"C:\\Users\\alice", "HOME", false},
                                     {"s3 cr'et", "SPACED", true},
                                     {"s3cret", "INDEX_PASSWORD", true}};

TEST(PutVariablesTest, Quotes) {
  const struct {
    const char* command;
    const char* expected;
  } rows[] = {
      {"ls", "ls"},
      {"CUDA_HOME=/home/alice/cuda-12.8 make", "CUDA_HOME=$HOME/cuda-12.8 make"},
      {"ls '/home/alice/my dir'", "ls \"$HOME/my dir\""},
      {"ls '/home/alice'", "ls \"$HOME\""},
      {"ls 'a b:/home/alice/x y'", "ls \"a b:$HOME/x y\""},
      {"ls 'a b:/home/alice'", "ls \"a b:$HOME\""},
      {"ls \"/home/alice/my dir\"", "ls \"$HOME/my dir\""},
      {"ls /home/alice_x \"/home/alice1\"", "ls ${HOME}_x \"${HOME}1\""},
      {"PATH=/home/alice/bin:/home/alice/b:$PATH x", "PATH=$HOME/bin:$HOME/b:$PATH x"},
      {"HF_TOKEN=s3cret x", "HF_TOKEN=\"$INDEX_PASSWORD\" x"},
      {"HF_TOKEN='s3cret' x", "HF_TOKEN=\"$INDEX_PASSWORD\" x"},
      {"pip -i 'https://u:s3cret@h/a?b&c'", "pip -i \"https://u:$INDEX_PASSWORD@h/a?b&c\""},
      {"pip -i https://u:s3cret@h/", "pip -i https://u:\"$INDEX_PASSWORD\"@h/"},
      {"pip -i \"https://u:s3cret@h/\"", "pip -i \"https://u:$INDEX_PASSWORD@h/\""},
      {"python -c 'open(\"/home/alice/x\")'", "python -c 'open(\"'\"$HOME\"'/x\")'"},
      {"a\\'b /home/alice 'x'\\''/home/alice'", "a\\'b $HOME 'x'\\''/home/alice'"},
      {"& 'C:\\Users\\alice\\venv\\python.exe' -m pip", "& \"$HOME\\venv\\python.exe\" -m pip"},
      {"ls 'C:\\Users\\alice\\$x'", "ls \"$HOME\"'\\$x'"},
      {"set CUDA_PATH=C:\\Users\\alice\\cuda", "set CUDA_PATH=%USERPROFILE%\\cuda"},
      {"py -m venv C:\\Users\\alice\\v %TEMP%\\s3cret",
       "py -m venv %USERPROFILE%\\v %TEMP%\\%INDEX_PASSWORD%"},
  };
  for (const auto& row : rows) {
    std::vector<VariablePart> parts = PartsOf(row.command, kHidden);
    if (std::string(row.command).find("\\''/home") != std::string::npos) parts.pop_back();
    const std::optional<std::string> text = PutVariables(row.command, parts);
    ASSERT_TRUE(text.has_value()) << row.command;
    EXPECT_EQ(*text, row.expected);
  }
}

TEST(PutVariablesTest, WhatCannotBeReplacedIsNothing) {
  EXPECT_EQ(PutVariables("ls 'a /home/alice", PartsOf("ls 'a /home/alice", kHidden)), std::nullopt);
  const std::string across = "ls s3'cret'";
  EXPECT_EQ(PutVariables(across, std::vector<VariablePart>{{3, 10, "X", true}}), std::nullopt);
}

TEST(PutVariablesTest, AShellMakesTheSameWords) {
  setenv("HOME", "/home/alice", 1);
  setenv("INDEX_PASSWORD", "s3cret", 1);
  setenv("SPACED", "s3 cr'et", 1);
  const std::string words[] = {
      "/home/alice/cuda-12.8",
      "/home/alice",
      "'/home/alice/my dir'",
      "'a $x /home/alice `y` \"/home/alice\" \\'",
      "\"/home/alice/my dir \\\" \\$x \"",
      "-I/home/alice/inc",
      "--opt=/home/alice:/home/alice/b:/home/alicex",
      "'https://u:s3cret@h.example.org/simple?a&b'",
      "https://u:s3cret@h.example.org/simple",
      "git+https://s3cret@h/r.git@v1",
      "'s3cret'",
      "s3cret",
      "\"s3 cr'et\"",
      "a\\ b/home/alice\\'x",
      "'x'\\''y/home/alice'\\'''",
      "'torch>=2.1' \"\" '' '/home/alice'",
  };
  for (const std::string& word : words) {
    for (const std::string& command : {word, "A=" + word, "'x y'" + word + "'z'"}) {
      const std::optional<std::string> text = PutVariables(command, PartsOf(command, kHidden));
      ASSERT_TRUE(text.has_value()) << command;
      EXPECT_EQ(text->find("alice/"), std::string::npos) << *text;
      EXPECT_EQ(text->find("s3cret"), std::string::npos) << *text;
      const std::string print = "printf '<%s>' ";
      EXPECT_EQ(RunShell(print + *text), RunShell(print + command)) << *text;
    }
  }
}

TEST(PutVariablesUnquotedTest, Values) {
  const std::string value = "/home/alice/b:/home/alice1:$PATH";
  EXPECT_EQ(PutVariablesUnquoted(value, PartsOf(value, kHidden)), "$HOME/b:${HOME}1:$PATH");
}

}  // namespace
}  // namespace cudadoctor

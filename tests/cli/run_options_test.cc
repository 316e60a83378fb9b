#include "cli/run_options.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

using Words = std::vector<std::string>;

TEST(TakeCommandTest, Table) {
  struct Row {
    Words arguments;
    Words rest;
    Words command;
  };
  const Row rows[] = {
      {{"run", "pip", "install", "x"}, {"run"}, {"pip", "install", "x"}},
      {{"run", "--", "pip", "--", "-q"}, {"run"}, {"pip", "--", "-q"}},
      {{"run", "pip", "--format", "x"}, {"run"}, {"pip", "--format", "x"}},
      {{"run", "--format", "json", "pip"}, {"run", "--format", "json"}, {"pip"}},
      {{"run", "--format=json", "pip"}, {"run", "--format=json"}, {"pip"}},
      {{"--format", "run", "run", "-q", "run"}, {"--format", "run", "run", "-q"}, {"run"}},
      {{"run", "--", "--", "x"}, {"run"}, {"--", "x"}},
      {{"run", "explain"}, {"run"}, {"explain"}},
      {{"run", "--typo", "x"}, {"run", "--typo"}, {"x"}},
      {{"run", "-", "x"}, {"run"}, {"-", "x"}},
      {{"run"}, {"run"}, {}},
      {{"run", "--"}, {"run"}, {}},
      {{"run", "--format"}, {"run", "--format"}, {}},
      {{"explain", "run", "x"}, {"explain", "run", "x"}, {}},
      {{"--", "run", "x"}, {"--", "run", "x"}, {}},
      {{"build.log", "run"}, {"build.log", "run"}, {}},
      {{}, {}, {}},
  };
  for (const Row& row : rows) {
    Words rest = row.arguments;
    const Words command =
        TakeCommand([](std::string_view option) { return option == "--format"; }, rest);
    EXPECT_EQ(command, row.command) << testing::PrintToString(row.arguments);
    EXPECT_EQ(rest, row.rest) << testing::PrintToString(row.arguments);
  }
}

}  // namespace
}  // namespace cudadoctor

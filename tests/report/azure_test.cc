#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "report/commands.h"
#include "report/hostile_report.h"
#include "report/render.h"

namespace cudadoctor {
namespace {

// As the agent's CommandStringConvertor.
const Unescaping kUnescaping = {
    {"%3B", ";"}, {"%0D", "\r"}, {"%0A", "\n"}, {"%5D", "]"}, {"%AZP25", "%"}};

// By the rules of the agent's Command.TryParse: ##vso[ anywhere in a line up to the next ].
std::vector<Command> CommandsOf(const std::string& text) {
  std::vector<Command> commands;
  for (const std::string& line : LinesOf(text)) {
    const size_t prefix = line.find("##vso[");
    if (prefix == std::string::npos) continue;
    const size_t start = prefix + std::string_view("##vso[").size();
    const size_t bracket = line.find(']', prefix);
    commands.push_back(ParseCommand(line.substr(start, bracket - start), ';', kUnescaping));
    commands.back().data = Unescape(line.substr(bracket + 1), kUnescaping);
  }
  return commands;
}

TEST(RenderAzureTest, IssueGroupAndOutputs) {
  EXPECT_EQ(
      Render("azure", SampleReport(), {}),
      "##vso[task.logissue type=error;code=cuda-version-mismatch]PyTorch was built with CUDA 12.8, "
      "nvcc is CUDA 13.1 (cuda-version-mismatch, certain)%3B fix: install CUDA 12.8 beside 13.1 "
      "and "
      "build with it\n"
      "##[group]cudadoctor: PyTorch was built with CUDA 12.8, nvcc is CUDA 13.1\n" +
          Render("text", SampleReport(), {}) +
          "##[endgroup]\n"
          "##vso[task.setvariable variable=cause;isOutput=true]cuda-version-mismatch\n"
          "##vso[task.setvariable variable=title;isOutput=true]PyTorch was built with CUDA 12.8, "
          "nvcc is CUDA 13.1\n"
          "##vso[task.setvariable variable=retry;isOutput=true]environment\n");
}

TEST(RenderAzureTest, ASourceOfTheTreeIsThePlace) {
  Report report = SampleReport();
  report.diagnoses[0].evidence[0].source = SourceLocation{"/home/user/project/a;b].cu", 12, 0};
  const std::vector<Command> commands = CommandsOf(Render("azure", report));
  EXPECT_EQ(commands[0].properties,
            (std::map<std::string, std::string>{{"type", "error"},
                                                {"sourcepath", "a;b].cu"},
                                                {"linenumber", "12"},
                                                {"columnnumber", "1"},
                                                {"code", "cuda-version-mismatch"}}));
}

TEST(RenderAzureTest, ALatentCauseIsAWarningWithoutOutputs) {
  Report report = SampleReport();
  report.diagnoses[0].role = Role::kLatent;
  const std::vector<Command> commands = CommandsOf(Render("azure", report, {}));
  ASSERT_EQ(commands.size(), 1u);
  EXPECT_EQ(commands[0].properties.at("type"), "warning");
}

TEST(RenderAzureTest, AtMostTenIssues) {
  const std::vector<Report> reports(15, SampleReport());
  size_t issues = 0;
  for (const Command& command : CommandsOf(RenderAzure(reports, {})))
    issues += command.name == "task.logissue" ? 1 : 0;
  EXPECT_EQ(issues, 10u);
}

TEST(RenderAzureTest, NothingWithoutADiagnosis) { EXPECT_EQ(Render("azure", Report(), {}), ""); }

// Neither a command nor a format of a line but our own, and the data comes back whole.
TEST(RenderAzureTest, NoTextIsACommand) {
  for (const std::string_view payload : kPayloads) {
    const std::string text = Render("azure", HostileReport(payload), {.names_input = true});
    const std::vector<Command> commands = CommandsOf(text);
    ASSERT_EQ(commands.size(), 4u) << text;
    for (const Command& command : commands) {
      EXPECT_TRUE(command.name == "task.logissue" || command.name == "task.setvariable") << text;
      EXPECT_EQ(command.data.find("##"), std::string::npos) << text;
      EXPECT_EQ(command.data.find('\n'), std::string::npos) << text;
    }
    EXPECT_EQ(commands[2].data.find("$("), std::string::npos) << text;
    size_t formats = 0;
    for (size_t at = 0; (at = text.find("##[", at)) != std::string::npos; ++at) ++formats;
    EXPECT_EQ(formats, 2u) << text;
    if (payload.find("##") == std::string_view::npos) {
      EXPECT_EQ(commands[0].data.substr(0, payload.size()), payload);
    }
  }
}

}  // namespace
}  // namespace cudadoctor

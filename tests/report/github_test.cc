#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "report/commands.h"
#include "report/hostile_report.h"
#include "report/render.h"

namespace cudadoctor {
namespace {

const Unescaping kData = {{"%0D", "\r"}, {"%0A", "\n"}, {"%25", "%"}};
const Unescaping kProperty = {
    {"%0D", "\r"}, {"%0A", "\n"}, {"%3A", ":"}, {"%2C", ","}, {"%25", "%"}};

// By the rules of the runner's ActionCommand: `::name properties::data` at a line's start, else
// `##[name` anywhere.
std::vector<Command> CommandsOf(const std::string& text) {
  std::vector<Command> commands;
  for (std::string line : LinesOf(text)) {
    line.erase(0, line.find_first_not_of(' '));
    const size_t end = line.find("::", 2);
    if (line.starts_with("::") && end != std::string::npos) {
      commands.push_back(ParseCommand(line.substr(2, end - 2), ',', kProperty));
      commands.back().data = Unescape(line.substr(end + 2), kData);
    } else if (line.find("##[") != std::string::npos) {
      commands.push_back({"##[", {}, line});
    }
  }
  return commands;
}

TEST(RenderGithubTest, OneAnnotation) {
  EXPECT_EQ(
      Render("github", SampleReport(), {}),
      "::error title=flash-attn 2.8.3 did not build::PyTorch was built with CUDA 12.8, nvcc is "
      "CUDA "
      "13.1 (cuda-version-mismatch, certain)%0A"
      "line 34: RuntimeError: The detected CUDA version (13.1) mismatches the version that was "
      "used "
      "to compile PyTorch (12.8).%0A"
      "fix: install CUDA 12.8 beside 13.1 and build with it%0A"
      "  sudo apt-get install -y cuda-toolkit-12-8%0A"
      "  CUDA_HOME=/usr/local/cuda-12.8 PATH=/usr/local/cuda-12.8/bin:$PATH MAX_JOBS=32 uv pip "
      "install flash-attn --no-build-isolation%0A"
      "takes an hour%0A"
      "check: /usr/local/cuda-12.8/bin/nvcc --version says release 12.8%0A"
      "or: take the PyTorch built for CUDA 13.0; costs a 2 GB download%0A"
      "more: cudadoctor explain cuda-version-mismatch\n");
}

TEST(RenderGithubTest, ASourceOfTheTreeIsThePlace) {
  const struct {
    const char* name;
    SourceLocation source;
    const char* expected;
  } rows[] = {
      {"line and column",
       {"/home/user/project/csrc/a.cu", 12, 5},
       "::error file=csrc/a.cu,line=12,col=5,t"},
      {"no column", {"csrc/a.cu", 12, 0}, "::error file=csrc/a.cu,line=12,t"},
      {"to be escaped", {"a,b:c%.cu", 1, 0}, "::error file=a%2Cb%3Ac%25.cu,line=1,t"},
      {"of a package", {"/usr/include/x.h", 12, 5}, "::error title="},
  };
  for (const auto& row : rows) {
    Report report = SampleReport();
    report.diagnoses[0].evidence[0].source = row.source;
    const std::string text = Render("github", report);
    EXPECT_EQ(text.substr(0, std::string_view(row.expected).size()), row.expected) << row.name;
  }
}

TEST(RenderGithubTest, RolesAndUnknown) {
  Report report = SampleReport();
  report.diagnoses.resize(3, report.diagnoses[0]);
  report.diagnoses[0].cause = "unknown";
  report.diagnoses[1].role = Role::kContributing;
  report.diagnoses[2].role = Role::kLatent;
  const std::vector<Command> commands = CommandsOf(Render("github", report, {}));
  ASSERT_EQ(commands.size(), 2u);
  EXPECT_EQ(commands[0].name, "error");
  EXPECT_EQ(commands[0].data.find("explain"), std::string::npos);
  EXPECT_EQ(commands[1].name, "notice");
}

TEST(RenderGithubTest, AtMostTenThenALine) {
  const std::vector<Report> reports(13, SampleReport());
  const std::string text = RenderGithub(reports, {.names_input = true});
  EXPECT_EQ(CommandsOf(text).size(), 10u);
  EXPECT_TRUE(text.ends_with("\ncudadoctor: 3 more in the summary of this step\n")) << text;
  EXPECT_NE(text.find("%0Abuild.log, line 34: "), std::string::npos) << text;
}

TEST(RenderGithubTest, AMessageIsCutAtALine) {
  Report report = SampleReport();
  report.diagnoses[0].package = std::string(400, 'p');
  report.diagnoses[0].remedies[0].steps.assign(
      30, {"echo " + std::string(200, 'x'), std::string(60, 'y')});
  const Command command = CommandsOf(Render("github", report, {})).at(0);
  EXPECT_EQ(command.properties.at("title"), std::string(254, 'p') + "…");
  EXPECT_LE(command.data.size(), 4000u);
  EXPECT_TRUE(command.data.ends_with("xx\n…") || command.data.ends_with("yy\n…")) << command.data;
  report.diagnoses[0].title = std::string(9000, 't');
  EXPECT_EQ(CommandsOf(Render("github", report, {})).at(0).data.size(), 4000u);
}

TEST(RenderGithubTest, NothingWithoutADiagnosis) { EXPECT_EQ(Render("github", Report(), {}), ""); }

TEST(RenderGithubTest, NoTextIsACommand) {
  for (const std::string_view payload : kPayloads) {
    const std::vector<Command> commands =
        CommandsOf(Render("github", HostileReport(payload), {.names_input = true}));
    ASSERT_EQ(commands.size(), 1u) << payload;
    const Command& command = commands[0];
    EXPECT_EQ(command.name, "error") << payload;
    for (const auto& [name, value] : command.properties)
      EXPECT_TRUE(name == "title" || name == "file" || name == "line" || name == "col") << name;
    EXPECT_EQ(command.data.find("##["), std::string::npos) << payload;
    if (payload.find("##") == std::string_view::npos) {
      EXPECT_EQ(command.properties.at("title"), std::string(payload) + " 2.8.3 did not build");
      EXPECT_EQ(command.data.substr(0, payload.size()), payload);
    }
  }
}

}  // namespace
}  // namespace cudadoctor

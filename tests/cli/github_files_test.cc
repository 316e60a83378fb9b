#include "cli/github_files.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "gtest/gtest.h"
#include "report/hostile_report.h"

namespace cudadoctor {
namespace {

class GithubFilesTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "github_files_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }

  std::string Read(const std::string& name) const {
    std::ifstream file(Path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  void Write(const std::string& name, const std::string& content) const {
    std::ofstream(Path(name), std::ios::binary) << content;
  }

  Environment Both() const {
    return [this](std::string_view name) -> std::optional<std::string> {
      if (name == "GITHUB_STEP_SUMMARY") return Path("summary");
      if (name == "GITHUB_OUTPUT") return Path("output");
      return std::nullopt;
    };
  }

  // As the runner reads the file (actions/runner, FileCommandManager.cs): NAME<<DELIMITER, lines,
  // DELIMITER; or NAME=VALUE.
  std::map<std::string, std::string> Outputs() const {
    std::map<std::string, std::string> outputs;
    std::ifstream file(Path("output"));
    for (std::string line; std::getline(file, line);) {
      if (line.empty()) continue;
      const size_t equals = line.find('=');
      const size_t heredoc = line.find("<<");
      if (equals < heredoc) {
        outputs[line.substr(0, equals)] = line.substr(equals + 1);
        continue;
      }
      const std::string delimiter = line.substr(heredoc + 2);
      std::string value;
      std::string next;
      while (std::getline(file, next) && next != delimiter)
        value += (value.empty() ? "" : "\n") + next;
      EXPECT_EQ(next, delimiter);
      outputs[line.substr(0, heredoc)] = value;
    }
    return outputs;
  }

  std::string folder_;
};

TEST_F(GithubFilesTest, SummaryAndOutputs) {
  const Report report = SampleReport();
  EXPECT_TRUE(WriteGithubFiles({&report, 1}, false, Both()).empty());
  EXPECT_EQ(Outputs(), (std::map<std::string, std::string>{
                           {"cause", "cuda-version-mismatch"},
                           {"title", "PyTorch was built with CUDA 12.8, nvcc is CUDA 13.1"},
                           {"retry", "environment"}}));
  EXPECT_EQ(Read("summary").substr(0, 35), "### flash-attn 2.8.3 did not build\n");
}

TEST_F(GithubFilesTest, WhatIsThereStays) {
  Write("summary", "a");
  Write("output", "mine=1");
  const Report report = SampleReport();
  EXPECT_TRUE(WriteGithubFiles({&report, 1}, true, Both()).empty());
  EXPECT_EQ(Read("summary").substr(0, 19), "a\n### `build.log`: ");
  EXPECT_EQ(Outputs().at("mine"), "1");
  EXPECT_EQ(Outputs().at("retry"), "environment");
}

TEST_F(GithubFilesTest, DelimitersDiffer) {
  const Report report = SampleReport();
  EXPECT_TRUE(WriteGithubFiles({&report, 1}, false, Both()).empty());
  const std::string first = Read("output");
  std::filesystem::remove(Path("output"));
  EXPECT_TRUE(WriteGithubFiles({&report, 1}, false, Both()).empty());
  EXPECT_NE(Read("output"), first);
}

TEST_F(GithubFilesTest, NothingWithoutAFailure) {
  Report latent = SampleReport();
  latent.diagnoses[0].role = Role::kLatent;
  const Report reports[] = {Report(), latent};
  EXPECT_TRUE(WriteGithubFiles(reports, true, Both()).empty());
  EXPECT_FALSE(std::filesystem::exists(Path("summary")));
  EXPECT_FALSE(std::filesystem::exists(Path("output")));
}

TEST_F(GithubFilesTest, NothingWithoutVariables) {
  const Report report = SampleReport();
  const auto none = [](std::string_view) -> std::optional<std::string> { return std::nullopt; };
  EXPECT_TRUE(WriteGithubFiles({&report, 1}, false, none).empty());
  const auto empty = [](std::string_view) -> std::optional<std::string> { return ""; };
  EXPECT_TRUE(WriteGithubFiles({&report, 1}, false, empty).empty());
}

TEST_F(GithubFilesTest, AFullSummaryIsLeftAlone) {
  const Report report = SampleReport();
  for (const size_t size : {(1 << 20) - 500, (1 << 20) - 10, (1 << 20) + 10}) {
    const std::string before(size, 'x');
    Write("summary", before);
    EXPECT_TRUE(WriteGithubFiles({&report, 1}, false, Both()).empty());
    const std::string after = Read("summary");
    EXPECT_EQ(after.substr(0, size), before);
    EXPECT_LE(after.size(), std::max<size_t>(size, 1 << 20));
  }
}

TEST_F(GithubFilesTest, SaysWhatCannotBeWritten) {
  const auto missing = [this](std::string_view name) -> std::optional<std::string> {
    return Path("no/" + std::string(name));
  };
  const Report report = SampleReport();
  const std::vector<absl::Status> errors = WriteGithubFiles({&report, 1}, false, missing);
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0].message(),
            Path("no/GITHUB_STEP_SUMMARY") + ": cannot be written: No such file or directory");
}

TEST_F(GithubFilesTest, NoTextIsAnOutput) {
  for (const std::string_view payload : kPayloads) {
    Report report = HostileReport(payload);
    report.diagnoses[0].title += "\nretry=transient\r\ncause<<x";
    EXPECT_TRUE(WriteGithubFiles({&report, 1}, false, Both()).empty());
    const std::map<std::string, std::string> outputs = Outputs();
    EXPECT_EQ(outputs.size(), 3u) << payload;
    EXPECT_EQ(outputs.at("title"), std::string(payload) + " retry=transient  cause<<x");
    EXPECT_EQ(outputs.at("retry"), "environment");
    EXPECT_EQ(outputs.at("cause"), "cuda-version-mismatch");
  }
}

}  // namespace
}  // namespace cudadoctor

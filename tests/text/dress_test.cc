#include "text/dress.h"

#include <string>
#include <string_view>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

struct Row {
  const char* name;
  const char* line;
  const char* text;
  const char* stream;
  bool is_foreign;
};

void Check(const Row& row) {
  std::string_view line = row.line;
  const Dress dress = RemoveDress(line);
  EXPECT_EQ(line, row.text) << row.name;
  EXPECT_EQ(dress.stream, row.stream) << row.name;
  EXPECT_EQ(dress.is_foreign, row.is_foreign) << row.name;
}

TEST(RemoveDressTest, RemovesEachDress) {
  const Row rows[] = {
      {"GitHub Actions", "2026-03-04T08:12:31.1234567Z error: x", "error: x", "", true},
      {"Azure", "2026-03-04T08:12:31.1234567Z ##[error]Bash exited with code '1'.",
       "##[error]Bash exited with code '1'.", "", true},
      {"kubectl --timestamps", "2026-03-04T08:12:31.123456789Z Collecting torch",
       "Collecting torch", "", true},
      {"docker logs -t with an offset", "2026-03-04T08:12:31.123456789+02:00 Collecting torch",
       "Collecting torch", "", true},
      {"an empty line of GitHub", "2026-03-04T08:12:31.1234567Z ", "", "", true},
      {"an empty line without the blank", "2026-03-04T08:12:31.1234567Z", "", "", true},
      {"GitLab", "2026-03-04T08:12:31.123456Z 01O error: x", "error: x", "", true},
      {"GitLab, standard error, continued", "2026-03-04T08:12:31.123456Z 00E+error: x", "error: x",
       "", true},
      {"Jenkins", "[2026-03-04T08:12:31.123Z] error: x", "error: x", "", true},
      {"Buildkite", "[2026-03-04 08:12:31 UTC] error: x", "error: x", "", true},
      {"Buildkite's mark",
       "_bk;t=1709539951123\a"
       "error: x",
       "error: x", "", true},
      {"gh run view --log", "build\tInstall\t2026-03-04T08:12:31.1234567Z error: x", "error: x", "",
       true},
      {"older Jenkins", "08:12:31  error: x", "error: x", "", true},
      {"BuildKit", "#14 3.2 error: x", "error: x", "docker:14", false},
      {"BuildKit, long", "#14 1234.567 error: x", "error: x", "docker:14", false},
      {"BuildKit's summary", "4.410 error: x", "error: x", "", false},
      {"BuildKit's summary, hundreds", "140.7 error: x", "error: x", "", false},
      {"docker compose", "web-1  | error: x", "error: x", "", false},
      {"kubectl --prefix", "[pod/train-0/main] error: x", "error: x", "", true},
      {"syslog", "Mar  4 08:12:31 node7 slurmstepd[1187]: error: x", "error: x", "", false},
      {"kernel clock", "[12345.678901] Out of memory: Killed process 1",
       "Out of memory: Killed process 1", "", false},
      {"vLLM's process", "(EngineCore_DP0 pid=1187) error: x", "error: x", "pid:1187", false},
      {"ray", "(RayWorker pid=7, ip=10.0.0.1) error: x", "error: x", "pid:7", false},
      {"torchrun", "[rank0]: error: x", "error: x", "", false},
      {"torchrun, default", "[default3]:error: x", "error: x", "", false},
      {"mpirun --tag-output", "[1,0]<stderr>:error: x", "error: x", "", false},
      {"vLLM's logger", "ERROR 08-23 14:02:11 [core.py:708] error: x", "error: x", "", false},
      {"vLLM's logger, older", "INFO 08-23 14:02:11 utils.py:708] error: x", "error: x", "", false},
      {"Airflow", "[2026-03-04T08:12:31.123+0000] {subprocess.py:93} INFO - error: x", "error: x",
       "", true},
      {"uv -v", "DEBUG error: x", "error: x", "", false},
      {"uv -vv", "    0.034567s  12ms TRACE error: x", "error: x", "", false},
      {"Packer", "    amazon-ebs.gpu: error: x", "error: x", "", true},
      {"Packer's heading", "==> amazon-ebs.gpu: error: x", "error: x", "", true},
      {"Terraform", "null_resource.gpu (remote-exec): error: x", "error: x", "", true},
      {"nested: GitHub around BuildKit", "2026-03-04T08:12:31.1234567Z #9 12.34 error: x",
       "error: x", "docker:9", true},
      {"nested: GitHub, BuildKit, uv", "2026-03-04T08:12:31.1234567Z #9 12.34 DEBUG error: x",
       "error: x", "docker:9", true},
  };
  for (const Row& row : rows) Check(row);
}

TEST(RemoveDressTest, LeavesNearMissesAlone) {
  const Row rows[] = {
      {"a time without a gap", "2026-03-04T08:12:31.1234567Zerror",
       "2026-03-04T08:12:31.1234567Zerror", "", false},
      {"a date alone", "2026-03-04 error: x", "2026-03-04 error: x", "", false},
      {"a bracketed number", "[12/73] nvcc -c x.cu", "[12/73] nvcc -c x.cu", "", false},
      {"a percentage", "[ 36%] Building CUDA object x", "[ 36%] Building CUDA object x", "", false},
      {"a clock with one blank", "08:12:31 error: x", "08:12:31 error: x", "", false},
      {"a BuildKit step's own line keeps its text", "#14 [2/5] RUN pip install x",
       "#14 [2/5] RUN pip install x", "docker:14", false},
      {"a comment", "# 14 3.2 error", "# 14 3.2 error", "", false},
      {"a preprocessor line", "#error This file requires C++17", "#error This file requires C++17",
       "", false},
      {"a version, three digits", "12.8 is the version", "12.8 is the version", "", false},
      {"a table of a compiler", "  34 | int x;", "  34 | int x;", "", false},
      {"compose without a number", "web | error", "web | error", "", false},
      {"kernel clock with two decimals", "[12345.67] x", "[12345.67] x", "", false},
      {"a parenthesis without pid", "(from -r requirements.txt)", "(from -r requirements.txt)", "",
       false},
      {"pid after the parenthesis", "(x) pid=7 y", "(x) pid=7 y", "", false},
      {"a rank of another kind", "[rank zero] x", "[rank zero] x", "", false},
      {"pip's level", "ERROR: Failed building wheel for x", "ERROR: Failed building wheel for x",
       "", false},
      {"a word that begins with DEBUG", "DEBUGGING is on", "DEBUGGING is on", "", false},
      {"a month's name in a sentence", "March is a month with a colon: yes",
       "March is a month with a colon: yes", "", false},
      {"Homebrew's heading", "==> Installing cuda", "==> Installing cuda", "", false},
      {"a name with a colon", "torch: error", "torch: error", "", false},
      {"tabs without a time", "a\tb\tc", "a\tb\tc", "", false},
      {"pod in the text", "[pods/x] y", "[pods/x] y", "", false},
  };
  for (const Row& row : rows) Check(row);
}

TEST(RemoveDressTest, EndsOnAnythingThatIsCutAnywhere) {
  const std::string lines[] = {
      "2026-03-04T08:12:31.1234567Z 01O+#9 12.34 (A pid=7) [rank0]: DEBUG x",
      "build\tInstall\t2026-03-04T08:12:31Z x",
      "Mar  4 08:12:31 node7 slurmstepd[1187]: [12345.678901] x",
      "ERROR 08-23 14:02:11 [core.py:708] _bk;t=1709539951123\a"};
  for (const std::string& whole : lines) {
    for (size_t n = 0; n <= whole.size(); ++n) {
      const std::string cut = whole.substr(0, n);
      std::string_view line = cut;
      RemoveDress(line);
      ASSERT_LE(line.size(), n) << cut;
      EXPECT_EQ(cut.substr(n - line.size()), line) << "no suffix of: " << cut;
    }
  }
}

}  // namespace
}  // namespace cudadoctor

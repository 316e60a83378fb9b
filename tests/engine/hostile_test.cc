// Logs that try to reach the reader's shell or terminal.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "engine/session.h"
#include "gtest/gtest.h"
#include "json/json.h"
#include "report/render.h"
#include "rules/rule_set.h"
#include "source_tree.h"

namespace cudadoctor {
namespace {

const RuleSet& Rules() {
  static const RuleSet* const rules = RuleSet::Create().value().release();
  return *rules;
}

Report Diagnose(const std::string& log) {
  auto session = Session::Create(Rules(), {});
  EXPECT_TRUE((*session)->Feed(log).ok());
  absl::StatusOr<Report> report = (*session)->Finish(std::nullopt);
  EXPECT_TRUE(report.ok()) << report.status();
  return report.ok() ? *report : Report();
}

// The words that a hostile log would have run, and the file they would leave.
const char kMark[] = "CUDADOCTOR_TEST_WAS_HERE";

std::vector<std::string> Payloads() {
  const std::string mark = kMark;
  return {"foo; touch " + mark,
          "$(touch " + mark + ")",
          "`touch " + mark + "`",
          "x'; touch " + mark + " '",
          "x\"; touch " + mark + " \"",
          "a\ntouch " + mark,
          "a\rtouch " + mark,
          "--config=" + mark,
          "-r " + mark,
          "foo | touch " + mark,
          "foo && touch " + mark,
          "foo > " + mark,
          "x$(touch${IFS}" + mark + ")",
          "x&touch " + mark,
          "\x1b]0;" + mark + "\x07",
          "\x1b[2J" + mark,
          "\xE2\x80\xAE" + mark,
          "::error::" + mark,
          "a\\'$(touch " + mark + ")",
          "{touch," + mark + "}",
          "x>" + mark};
}

// Real messages; @ is where a payload goes.
const char* const kMessages[] = {
    "ERROR: Failed building wheel for @\n",
    "  × Failed to build `@==1.2`\n",
    "  × Failed to build `foo==@`\n",
    "nvlink error   : Undefined reference to '@' in 'x.o'\n",
    "ptxas fatal   : Unresolved extern function '@'\n",
    "/usr/bin/ld: cannot find -l@\n",
    "fatal error: @: No such file or directory\n",
    "ModuleNotFoundError: No module named '@'\n",
    "ImportError: @: undefined symbol: @\n",
    "ImportError: libfoo.so: undefined symbol: @\n",
    "ERROR: Package 'foo' requires a different Python: 3.8.10 not in '@'\n",
    "ERROR: No matching distribution found for @\n",
    "ERROR: Could not find a version that satisfies the requirement @ (from versions: none)\n",
    "RuntimeError: The detected CUDA version (@) mismatches the version that was used to compile "
    "PyTorch (12.8).\n",
    "$ pip install @\nRuntimeError: The detected CUDA version (13.1) mismatches the version that "
    "was used to compile PyTorch (12.8).\n",
    "$ X='@' pip install foo\nRuntimeError: The detected CUDA version (13.1) mismatches the "
    "version that was used to compile PyTorch (12.8).\n",
    "user@host:~/x$ uv pip install '@' --no-build-isolation\nRuntimeError: The detected CUDA "
    "version (13.1) mismatches the version that was used to compile PyTorch (12.8).\n",
    "/bin/sh: 1: @: not found\n",
    "bash: @: command not found\n",
    "E: Unable to locate package @\n",
    "CMake Error: Could not find CMAKE_MAKE_PROGRAM @\n",
    "OSError: [Errno 13] Permission denied: '@'\n",
    "RuntimeError: CUDA_HOME=@ is not set; OSError: CUDA_HOME environment variable is not set. "
    "Please set it to your CUDA install root.\n",
    "TORCH_CUDA_ARCH_LIST=@\nnvcc fatal   : Unsupported gpu architecture 'compute_120'\n",
    "nvcc fatal   : Unsupported gpu architecture '@'\n",
    "error: #error -- unsupported GNU version! gcc versions later than @ are not supported!\n",
    "c++: fatal error: Killed signal terminated program @\n",
    "fatal: unable to access '@': Could not resolve host: github.com\n",
    "ERROR: HTTP error 404 while getting @\n",
};

std::string Replace(std::string text, const std::string& payload) {
  for (size_t at = 0; (at = text.find('@', at)) != std::string::npos; at += payload.size())
    text.replace(at, 1, payload);
  return text;
}

std::vector<std::string> CommandsOf(const Report& report) {
  std::vector<std::string> commands;
  for (const Diagnosis& diagnosis : report.diagnoses) {
    for (const Remedy& remedy : diagnosis.remedies) {
      for (const Step& step : remedy.steps) {
        if (!step.run.empty()) commands.push_back(step.run);
      }
      if (remedy.check.has_value()) commands.push_back(remedy.check->run);
    }
  }
  return commands;
}

// Runs `script` in a shell that has no program to run, in an empty folder; whether the payload left
// its file.
bool IsSafe(const std::vector<std::string>& commands) {
  static const std::filesystem::path folder = [] {
    char name[] = "/tmp/cudadoctor-hostile-XXXXXX";
    return std::filesystem::path(mkdtemp(name));
  }();
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder / "bin");
  std::filesystem::create_symlink("/usr/bin/touch", folder / "bin/touch");
  std::string script;
  for (const std::string& command : commands) script += command + "\n";
  {
    FILE* file = fopen((folder / "script").c_str(), "w");
    fwrite(script.data(), 1, script.size(), file);
    fclose(file);
  }
  // Each line by itself: a command that fails does not hide the next.
  const std::string run = "cd '" + folder.string() +
                          "' && while IFS= read -r line; do env -i HOME='" + folder.string() +
                          "' PATH='" + folder.string() +
                          "/bin' /bin/sh -c \"$line\" > /dev/null 2>&1 < /dev/null; done < script";
  EXPECT_NE(std::system(run.c_str()), -1);
  bool is_safe = true;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().filename().string().find(kMark) != std::string::npos) is_safe = false;
  }
  std::filesystem::remove_all(folder);
  return is_safe;
}

TEST(HostileTest, TheCheckItselfSeesHarm) {
  EXPECT_FALSE(IsSafe({"pip install $(touch " + std::string(kMark) + ")"}));
  EXPECT_FALSE(IsSafe({"true", "pip install foo; touch " + std::string(kMark)}));
  EXPECT_FALSE(IsSafe({"pip install x>" + std::string(kMark)}));
  EXPECT_TRUE(IsSafe({"pip install '$(touch " + std::string(kMark) + ")'"}));
}

TEST(HostileTest, NothingOfALogIsRunByItsRemedies) {
  std::vector<std::string> all;
  for (const char* message : kMessages) {
    for (const std::string& payload : Payloads()) {
      const std::string log = Replace(message, payload);
      const std::vector<std::string> commands = CommandsOf(Diagnose(log));
      for (const std::string& command : commands) {
        for (const char c : command)
          EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f)
              << "a control character in: " << command;
        if (command.find(kMark) != std::string::npos)
          all.push_back(command);  // only these can do harm
      }
    }
  }
  EXPECT_GT(all.size(), 10u) << "no payload reached a command at all: the test checks nothing";
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  if (IsSafe(all)) return;
  for (const std::string& command : all) EXPECT_TRUE(IsSafe({command})) << "does harm: " << command;
}

TEST(HostileTest, EveryCommandIsWellFormed) {
  std::vector<std::string> logs;
  for (const char* message : kMessages) {
    for (const std::string& payload : Payloads()) logs.push_back(Replace(message, payload));
    logs.push_back(Replace(message, "it's"));
    logs.push_back(Replace(message, ">=3.8,<3.11"));
    logs.push_back(Replace(message, "f(int, char const*) const"));
  }
  std::vector<std::string> commands;
  for (const std::string& log : logs) {
    for (std::string& command : CommandsOf(Diagnose(log))) commands.push_back(std::move(command));
  }
  std::sort(commands.begin(), commands.end());
  commands.erase(std::unique(commands.begin(), commands.end()), commands.end());
  ASSERT_GT(commands.size(), 30u);
  for (const std::string& command : commands) {
    setenv("CUDADOCTOR_TEST_SCRIPT", command.c_str(), 1);
    EXPECT_EQ(std::system("sh -n -c \"$CUDADOCTOR_TEST_SCRIPT\" 2> /dev/null"), 0) << command;
    EXPECT_EQ(command.find("<package"), std::string::npos) << command;
  }
}

TEST(HostileTest, NoControlCharacterReachesAReport) {
  const std::string controls[] = {"\x1b]0;title\x07",
                                  "\x1b[2J",
                                  "\x1b[31m",
                                  "\x9b"
                                  "2J",
                                  "\xC2\x9B"
                                  "2J",
                                  "\xE2\x80\xAE",
                                  "\xE2\x81\xA6",
                                  "\xEF\xBB\xBF",
                                  "\x08\x08",
                                  "\x7f",
                                  std::string(1, '\0'),
                                  "\r",
                                  "\x1b",
                                  "\x1b]8;;https://x\x1b\\"};
  for (const char* message : kMessages) {
    for (const std::string& control : controls) {
      const Report report = Diagnose(Replace(message, "a" + control + "b" + control));
      const std::string text = Render("text", report, {});
      for (const char c : text) {
        ASSERT_TRUE(c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f))
            << message << ": " << text;
      }
      for (const char* hidden : {"\xC2\x9B", "\xE2\x80\xAE", "\xE2\x81\xA6", "\xEF\xBB\xBF"})
        ASSERT_EQ(text.find(hidden), std::string::npos) << message;
      EXPECT_TRUE(ParseJson(Render("json", report), "report").ok()) << message;
    }
  }
}

TEST(HostileTest, AnAnnotationInALogIsNoneInTheReport) {
  for (const char* payload : {"::error::owned", "::add-mask::x", "##[error]owned",
                              "##vso[task.setvariable variable=x]y"}) {
    for (const char* message : kMessages) {
      const std::string text = Render("text", Diagnose(Replace(message, payload)), {});
      size_t start = 0;
      for (size_t end = 0; (end = text.find('\n', start)) != std::string::npos; start = end + 1) {
        size_t first = start;
        while (first < end && text[first] == ' ') ++first;
        EXPECT_NE(text.compare(first, 2, "::"), 0) << text.substr(start, end - start);
      }
    }
  }
}

TEST(HostileTest, RandomBytesGiveAnAnswer) {
  uint32_t state = 99;
  for (int round = 0; round < 20; ++round) {
    std::string log;
    for (int i = 0; i < 400; ++i) {
      state = state * 1664525 + 1013904223;
      const char* const message = kMessages[(state >> 8) % std::size(kMessages)];
      std::string line = Replace(message, Payloads()[(state >> 16) % Payloads().size()]);
      line[(state >> 4) % line.size()] = static_cast<char>(state >> 24);
      log += line.substr(0, (state >> 12) % (line.size() + 1));
    }
    EXPECT_FALSE(Render("text", Diagnose(log), {}).empty());
  }
}

}  // namespace
}  // namespace cudadoctor

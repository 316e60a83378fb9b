#include "host/machine.h"

#include <string>

#include "gtest/gtest.h"
#include "recorded_machine.h"

namespace cudadoctor {
namespace {

TEST(MachineTest, FindsProgramsAsTheShell) {
  const RecordedMachine recorded(
      "@@ env PATH=relative:/first:/usr/lib/ccache:/second/\n@@ program /second/g++\n"
      "@@ file /first/g++\n@@ program /usr/bin/ccache\n@@ link /usr/lib/ccache/g++ "
      "../../bin/ccache\n@@ program /opt/nvcc\n@@ program /relative/tool\n");
  const Machine machine(recorded.sources());
  EXPECT_EQ(machine.FindProgram("g++"), "/second/g++");
  EXPECT_EQ(machine.FindProgram("/opt/nvcc"), "/opt/nvcc");
  EXPECT_EQ(machine.FindProgram("/first/g++"), "");
  EXPECT_EQ(machine.FindProgram("opt/nvcc"), "");
  EXPECT_EQ(machine.FindProgram("tool"), "");
  EXPECT_EQ(machine.FindProgram(""), "");
}

TEST(MachineTest, PathsOfTheEnvironment) {
  const RecordedMachine recorded("@@ env A=/usr/local/cuda//\n@@ env B=cuda\n@@ env C=/\n");
  const Machine machine(recorded.sources());
  EXPECT_EQ(machine.PathFrom("A"), "/usr/local/cuda");
  EXPECT_EQ(machine.PathFrom("B"), "");
  EXPECT_EQ(machine.PathFrom("C"), "/");
  EXPECT_EQ(machine.PathFrom("D"), "");
}

TEST(MachineTest, AsksOnlyWhatAnswers) {
  const RecordedMachine recorded(
      "@@ run 0 /bin/a -v\n1.2\n@@ run 1 /bin/b\nfailed\n@@ run stuck /bin/c\npart");
  const Machine machine(recorded.sources());
  EXPECT_EQ(machine.Ask({"/bin/a", "-v"}), "1.2\n");
  EXPECT_EQ(machine.Ask({"/bin/b"}), "");
  EXPECT_EQ(machine.Ask({"/bin/c"}), "");
  EXPECT_EQ(machine.Ask({"/bin/d"}), "");
}

TEST(HostFactsTest, LeavesOutWhatDoesNotFit) {
  HostFacts facts;
  facts.Add("a", ValueType::kVersion, "$(id)", "/etc/a");
  facts.Add("b", ValueType::kPath, "/home/a b", "a\x1b[31mb");
  facts.AddBytes("c", int64_t{3} << 29, "/proc/c");
  EXPECT_EQ(Listed(facts.facts()), (std::vector<std::string>{"b /home/a b", "c 1.5 | /proc/c"}));
}

TEST(VersionTest, InTexts) {
  struct Row {
    const char* text;
    size_t from;
    const char* version;
    const char* minor;
  };
  const Row rows[] = {{"release 12.8, V12.8.93", 0, "12.8", "12.8"},
                      {"V12.8.93", 0, "12.8.93", "12.8"},
                      {"version 2.36.", 0, "2.36", "2.36"},
                      {"13", 0, "13", "13"},
                      {"12.8 then 9.1", 4, "9.1", "9.1"},
                      {"none", 0, "", ""},
                      {"", 7, "", ""}};
  for (const Row& row : rows) {
    EXPECT_EQ(VersionIn(row.text, row.from), row.version) << row.text;
    EXPECT_EQ(MajorMinor(row.version), row.minor) << row.text;
  }
}

}  // namespace
}  // namespace cudadoctor

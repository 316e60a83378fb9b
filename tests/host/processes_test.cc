#include "host/processes.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/read_all.h"
#include "gtest/gtest.h"
#include "host/root_of_processes.h"

namespace cudadoctor {
namespace {

TEST(ListProcessesTest, ReadsWhatProcSays) {
  Root root;
  root.Add(40, 1, "ninja", 1, {"ninja", "-v"});
  root.Add(7, 40, "a (b) c", 2, {}, 4);
  std::filesystem::create_directories(root.path() + "/proc/41");       // ended meanwhile
  std::filesystem::create_directories(root.path() + "/proc/42/stat");  // can be opened, not read
  std::filesystem::create_directories(root.path() + "/proc/self");
  const std::vector<Process> all = ListProcesses(root.path());
  ASSERT_EQ(all.size(), 2);
  EXPECT_EQ(all[0].pid, 7);
  EXPECT_EQ(all[0].name, "a (b) c");
  EXPECT_EQ(all[0].parent, 40);
  EXPECT_EQ(all[0].user, 1000);
  EXPECT_EQ(all[0].resident_bytes, 2 << 20);
  EXPECT_EQ(all[0].peak_bytes, 4 << 20);
  EXPECT_EQ(all[0].start_ticks, 4711);
  EXPECT_TRUE(all[0].arguments.empty());
  EXPECT_EQ(all[1].arguments, (std::vector<std::string>{"ninja", "-v"}));
  EXPECT_TRUE(ListProcesses(root.path() + "/none").empty());
}

// What std::istreambuf_iterator does with such a file is to throw.
TEST(ReadAllTest, AFileThatCannotBeReadIsEmpty) {
  std::ifstream folder("/proc/self", std::ios::binary);
  EXPECT_EQ(ReadAll(folder), "");
  std::ifstream memory("/proc/self/mem", std::ios::binary);
  EXPECT_EQ(ReadAll(memory), "");
  EXPECT_TRUE(memory.bad());
}

TEST(ListProcessesTest, ProcessesThatEndMeanwhile) {
  for (int i = 0; i < 50; ++i) {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    EXPECT_FALSE(ListProcesses("").empty());
    waitpid(child, nullptr, 0);
  }
}

TEST(DescendantsOfTest, WhateverTheOrderOfPids) {
  Root root;
  root.Add(40, 1, "ninja", 1);
  root.Add(7, 40, "nvcc", 1);
  root.Add(5, 7, "cicc", 1);
  root.Add(8, 1, "other", 1);
  const std::vector<Process> family = DescendantsOf(40, ListProcesses(root.path()));
  ASSERT_EQ(family.size(), 2);
  EXPECT_EQ(family[0].name, "cicc");
  EXPECT_EQ(family[1].name, "nvcc");
}

TEST(ListProcessesTest, OfThisMachine) {
  const std::vector<Process> all = ListProcesses("");
  const auto self = std::find_if(all.begin(), all.end(),
                                 [](const Process& process) { return process.pid == getpid(); });
  ASSERT_NE(self, all.end());
  EXPECT_EQ(self->parent, getppid());
  EXPECT_GT(self->resident_bytes, 0);
}

TEST(IsCompilerTest, Names) {
  for (const char* name : {"nvcc", "cicc", "cudafe++", "cc1plus", "g++-13", "ld.gold"})
    EXPECT_TRUE(IsCompiler(name)) << name;
  for (const char* name : {"python3", "ninja", "make", "bash", "gccgo"})
    EXPECT_FALSE(IsCompiler(name)) << name;
}

}  // namespace
}  // namespace cudadoctor

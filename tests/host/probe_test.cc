#include "host/probe.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "host/host_facts.h"
#include "host/host_text.h"
#include "recorded_machine.h"

namespace cudadoctor {
namespace {

std::vector<std::filesystem::path> Trees() {
  std::vector<std::filesystem::path> trees;
  for (const auto& entry : std::filesystem::directory_iterator(SourceTree() / "tests/host/trees"))
    trees.push_back(entry.path());
  std::sort(trees.begin(), trees.end());
  return trees;
}

TEST(ProbeHostTest, RecordedMachines) {
  ASSERT_GE(Trees().size(), 10u);
  for (const std::filesystem::path& tree : Trees()) {
    const RecordedMachine machine(ReadFile(tree));
    EXPECT_THAT(machine.mistakes(), testing::IsEmpty()) << tree;
    EXPECT_THAT(machine.expected(), testing::Not(testing::IsEmpty())) << tree;
    const std::vector<std::string> found = Listed(ProbeHost(machine.sources()));
    EXPECT_EQ(absl::StrJoin(found, "\n"), absl::StrJoin(machine.expected(), "\n")) << tree;
  }
}

// Every fact has its place in the text, and the JSON form gives back what it was made of.
TEST(ProbeHostTest, WhatIsFoundCanBeShownAndGivenBack) {
  for (const std::filesystem::path& tree : Trees()) {
    const RecordedMachine machine(ReadFile(tree));
    const std::vector<Fact> facts = ProbeHost(machine.sources());
    EXPECT_THAT(RenderHostText(facts), testing::Not(testing::HasSubstr("\nmore "))) << tree;
    const auto read = ParseHostFacts(HostFactsToJson(facts), "host.json");
    ASSERT_TRUE(read.ok()) << tree << read.status();
    EXPECT_EQ(Listed(*read), Listed(facts)) << tree;
  }
}

TEST(ProbeHostTest, ASubjectThatHangsIsLeftBehind) {
  RecordedMachine machine("@@ env PATH=/usr/bin\n@@ program /usr/bin/nvidia-smi\n");
  std::promise<void> end;
  HostSources sources = machine.sources();
  sources.limit = std::chrono::milliseconds(200);
  sources.run = [stuck = end.get_future().share()](const std::vector<std::string>&,
                                                   std::chrono::milliseconds) {
    stuck.wait();
    return ProgramResult();
  };
  const std::vector<std::string> found = Listed(ProbeHost(sources));
  end.set_value();
  EXPECT_THAT(found, testing::Contains("unanswered gpus | no answer within 200 ms"));
  EXPECT_THAT(found, testing::Contains("os linux"));
}

TEST(ProbeHostTest, ThisMachine) {
  const std::vector<Fact> facts = ProbeHost(LocalSources());
  const auto has = [&facts](std::string_view name) {
    return std::any_of(facts.begin(), facts.end(),
                       [&](const Fact& fact) { return fact.name == name; });
  };
  for (const char* name : {"os", "machine", "memory_total", "memory_free", "cpu_count"})
    EXPECT_TRUE(has(name)) << name;
}

}  // namespace
}  // namespace cudadoctor

#include "run/ninja_files.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "host/root_of_processes.h"

namespace cudadoctor {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ParseNinjaCallTest, Table) {
  struct Row {
    std::vector<std::string> arguments;
    std::string file;
    std::vector<std::string> targets;
  };
  const Row rows[] = {
      {{"ninja"}, "build.ninja", {}},
      {{"ninja", "-v", "-j", "4", "-C", "build"}, "build.ninja", {}},
      {{"/usr/bin/ninja", "-j4", "--verbose", "_C", "_moe_C"}, "build.ninja", {"_C", "_moe_C"}},
      {{"ninja", "-f", "other.ninja", "install"}, "other.ninja", {"install"}},
      {{"ninja", "-fother.ninja"}, "other.ninja", {}},
      {{"ninja", "-f"}, "", {}},
  };
  for (const Row& row : rows) {
    const NinjaCall call = ParseNinjaCall(row.arguments);
    EXPECT_EQ(call.file, row.file);
    EXPECT_EQ(call.targets, row.targets);
  }
}

TEST(NinjaObjectsTest, WhatTheTargetsNeed) {
  Root root;
  // As CMake and PyTorch write them.
  root.Write("/b/build.ninja",
             "ninja_required_version = 1.3\n"
             "include rules.ninja\n"
             "build a.o: compile a.cu\n"
             "  depfile = a.o.d\n"
             "build dir/b$ c.o | ${workdir}dir/b$ c.o: compile $\n"
             "    ../b$ c.cu || order\n"
             "build order: phony d.obj\n"
             "build d.obj: compile d$:d.cu\r\n"
             "build unused.o: compile u.cu\n"
             "build _C: link a.o dir/b$ c.o\n"
             "build all: phony _C\n"
             "default all\n");
  root.Write("/b/rules.ninja", "rule compile\n  command = x\nbuild included.o: compile i.cu\n");
  const std::string folder = root.path() + "/b";
  EXPECT_THAT(NinjaObjects(folder, {}), ElementsAre("a.o", "d.obj", "dir/b c.o"));
  EXPECT_THAT(NinjaObjects(folder, {.targets = {"unused.o", "included.o"}}),
              ElementsAre("included.o", "unused.o"));
  EXPECT_THAT(NinjaObjects(folder, {.targets = {"none"}}), IsEmpty());
  EXPECT_THAT(NinjaObjects(folder, {.file = "none.ninja"}), IsEmpty());
  root.Write("/b/no_default.ninja", "build a.o: cc a.c\nbuild b.o: cc b.c\n");
  EXPECT_THAT(NinjaObjects(folder, {.file = "no_default.ninja"}), ElementsAre("a.o", "b.o"));
}

TEST(NinjaObjectsTest, AFileThatIncludesItselfAndACircleEnd) {
  Root root;
  root.Write("/build.ninja",
             "include build.ninja\nbuild a.o: cc b.o\nbuild b.o: cc a.o\ndefault a.o\n");
  EXPECT_THAT(NinjaObjects(root.path(), {}), ElementsAre("a.o", "b.o"));
}

TEST(NinjaProgressTest, CountsWhatIsBuiltSinceTheStart) {
  Root root;
  root.Write("/build.ninja",
             "build a.o: cc a\nbuild b.o: cc b\nbuild c.o: cc c\nbuild x.so: link a.o b.o c.o\n");
  root.Write("/.ninja_log",
             "# ninja log v5\n"
             "0\t90\t1700000000000000000\ta.o\tabc\n"
             "0\t90\t1700000000000000000\tgone.o\tabc\n");
  NinjaProgress progress(root.path(), {}, /*started=*/1800000000);
  progress.Update();
  EXPECT_EQ(progress.built(), 0);
  EXPECT_EQ(progress.total(), 2);
  EXPECT_TRUE(progress.has_earlier());
  // A line that is being written counts when it is complete.
  root.Write("/.ninja_log", "0\t9\t1800000001000000000\tb.o\tabc\n0\t9\t18000", /*appends=*/true);
  progress.Update();
  EXPECT_EQ(progress.built(), 1);
  root.Write("/.ninja_log", "00001000000000\tc.o\tabc\nnonsense\n1\t2\tx\ta.o\tabc\n",
             /*appends=*/true);
  progress.Update();
  EXPECT_EQ(progress.built(), 2);
  // Built again, so it is one more; and ninja wrote its log anew.
  root.Write("/.ninja_log", "# ninja log v5\n0\t9\t1800000002000000000\ta.o\tabc\n");
  progress.Update();
  EXPECT_EQ(progress.built(), 3);
  EXPECT_EQ(progress.total(), 3);
  EXPECT_FALSE(progress.has_earlier());
}

}  // namespace
}  // namespace cudadoctor

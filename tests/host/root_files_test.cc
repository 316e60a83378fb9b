#include "host/root_files.h"

#include <sys/stat.h>

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "recorded_machine.h"

namespace cudadoctor {
namespace {

constexpr const char* kTree =
    "@@ file /data/text\none\ntwo\n@@ link /data/alias text\n@@ link /data/absolute /data/text\n"
    "@@ link /up /data/../data\n@@ link /data/out ../../../../data/text\n@@ link /loop /loop\n"
    "@@ program /bin/tool\n@@ folder /empty\n";

TEST(RootFilesTest, FollowsLinksBelowTheRoot) {
  const RecordedMachine machine(kTree);
  const RootFiles files(machine.sources().root);
  struct Row {
    const char* path;
    const char* resolved;
  };
  const Row rows[] = {{"/data/text", "/data/text"},     {"/data/alias", "/data/text"},
                      {"/data/absolute", "/data/text"}, {"/up/alias", "/data/text"},
                      {"/data/out", "/data/text"},      {"/../..", "/"},
                      {"/none/./there", "/none/there"}, {"/loop", "/loop"}};
  for (const Row& row : rows) EXPECT_EQ(files.Resolve(row.path), row.resolved) << row.path;
  EXPECT_EQ(files.Read("/up/absolute"), "one\ntwo\n");
}

TEST(RootFilesTest, SaysWhatIsThere) {
  const RecordedMachine machine(kTree);
  const RootFiles files(machine.sources().root);
  EXPECT_EQ(files.Read("/data/text", 5), "one\nt");
  EXPECT_EQ(files.ReadLine("/data/text"), "one");
  EXPECT_EQ(files.Read("/data"), "");
  EXPECT_EQ(files.Read("/none"), "");
  EXPECT_TRUE(files.Exists("/data/alias"));
  EXPECT_FALSE(files.Exists("/loop"));
  EXPECT_TRUE(files.IsFolder("/up"));
  EXPECT_FALSE(files.IsFolder("/data/text"));
  EXPECT_TRUE(files.IsProgram("/bin/tool"));
  EXPECT_FALSE(files.IsProgram("/data/text"));
  EXPECT_FALSE(files.IsProgram("/empty"));
  EXPECT_EQ(files.List("/data"), (std::vector<std::string>{"absolute", "alias", "out", "text"}));
  EXPECT_TRUE(files.List("/none").empty());
}

TEST(RootFilesTest, DoesNotWaitForAPipe) {
  const RecordedMachine machine(kTree);
  ASSERT_EQ(mkfifo((machine.sources().root + "/empty/pipe").c_str(), 0600), 0);
  EXPECT_EQ(RootFiles(machine.sources().root).Read("/empty/pipe"), "");
}

TEST(PathTest, Parts) {
  EXPECT_EQ(JoinPath("/usr/", "bin"), "/usr/bin");
  EXPECT_EQ(JoinPath("/", "bin"), "/bin");
  EXPECT_EQ(FolderOf("/usr/bin"), "/usr");
  EXPECT_EQ(FolderOf("/usr"), "/");
  EXPECT_EQ(FolderOf("usr"), "");
  EXPECT_EQ(NameOf("/usr/bin"), "bin");
  EXPECT_EQ(NameOf("bin"), "bin");
}

}  // namespace
}  // namespace cudadoctor

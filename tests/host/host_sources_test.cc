#include "host/host_sources.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

TEST(LocalSourcesTest, IsThisProcess) {
  const HostSources sources = LocalSources();
  EXPECT_EQ(sources.root, "");
  EXPECT_EQ(sources.working_folder, std::filesystem::current_path().string());
  EXPECT_EQ(sources.user, geteuid());
  EXPECT_GT(sources.cpus, 0);
  EXPECT_LE(sources.cpus, sysconf(_SC_NPROCESSORS_CONF));
  EXPECT_FALSE(sources.machine.empty());
  setenv("CUDADOCTOR_TEST_VARIABLE", "value", 1);
  EXPECT_EQ(sources.environment("CUDADOCTOR_TEST_VARIABLE"), "value");
  unsetenv("CUDADOCTOR_TEST_VARIABLE");
  EXPECT_EQ(sources.environment("CUDADOCTOR_TEST_VARIABLE"), "");
  EXPECT_GE(sources.free_bytes("/").value_or(-1), 0);
  EXPECT_FALSE(sources.free_bytes("/nowhere/none").has_value());
  EXPECT_EQ(sources.run({"/bin/sh", "-c", "echo yes"}, std::chrono::seconds(60)).output, "yes\n");
}

}  // namespace
}  // namespace cudadoctor

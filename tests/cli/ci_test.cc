#include "cli/ci.h"

#include <map>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

Environment Of(std::map<std::string, std::string, std::less<>> variables) {
  return [variables](std::string_view name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
}

TEST(FormatByContextTest, Systems) {
  const struct {
    const char* variable;
    const char* value;
    const char* format;
  } rows[] = {
      {"GITHUB_ACTIONS", "true", "github"},
      {"GITLAB_CI", "true", "gitlab"},
      {"TF_BUILD", "True", "azure"},
      {"BUILDKITE", "true", "buildkite"},
      {"CI", "true", "text"},
      {"GITHUB_ACTIONS", "false", "text"},
      {"JENKINS_URL", "http://x", "text"},
  };
  for (const auto& row : rows)
    EXPECT_EQ(FormatByContext(Of({{row.variable, row.value}})), row.format) << row.variable;
  EXPECT_EQ(FormatByContext(Of({})), "text");
}

TEST(SourceFolderTest, IsTheCheckout) {
  EXPECT_EQ(SourceFolder(Of({{"GITLAB_CI", "true"}, {"CI_PROJECT_DIR", "/builds/a/b"}})),
            "/builds/a/b");
  EXPECT_FALSE(SourceFolder(Of({})).empty());
}

}  // namespace
}  // namespace cudadoctor

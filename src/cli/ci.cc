#include "cli/ci.h"

#include <array>
#include <filesystem>
#include <optional>
#include <system_error>

namespace cudadoctor {
namespace {

struct CiSystem {
  std::string_view variable;  // set by the system in every job
  std::string_view format;
  std::string_view folder;  // the variable that names the checkout
};

// As each system documents its variables: docs.github.com "Variables reference", docs.gitlab.com
// "Predefined CI/CD variables reference", learn.microsoft.com "Use predefined variables",
// buildkite.com "Environment variables".
constexpr std::array<CiSystem, 4> kSystems = {{
    {"GITHUB_ACTIONS", "github", "GITHUB_WORKSPACE"},
    {"GITLAB_CI", "gitlab", "CI_PROJECT_DIR"},
    {"TF_BUILD", "azure", "BUILD_SOURCESDIRECTORY"},
    {"BUILDKITE", "buildkite", "BUILDKITE_BUILD_CHECKOUT_PATH"},
}};

const CiSystem* Detect(const Environment& environment) {
  for (const CiSystem& system : kSystems) {
    const std::optional<std::string> value = environment(system.variable);
    if (value == "true" || value == "True") return &system;
  }
  return nullptr;
}

}  // namespace

std::string_view FormatByContext(const Environment& environment) {
  const CiSystem* system = Detect(environment);
  return system == nullptr ? "text" : system->format;
}

std::string SourceFolder(const Environment& environment) {
  if (const CiSystem* system = Detect(environment)) {
    if (std::optional<std::string> folder = environment(system->folder);
        folder.has_value() && !folder->empty())
      return *std::move(folder);
  }
  std::error_code error;
  return std::filesystem::current_path(error).string();
}

}  // namespace cudadoctor

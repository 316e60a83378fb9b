#include "remedy/retry.h"

#include <algorithm>
#include <array>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "base/views.h"
#include "redact/report.h"
#include "remedy/shell.h"
#include "text/line.h"

namespace cudadoctor {
namespace {

// How many jobs and threads, which architectures, which toolkit, where temporary files go: what
// builds read whatever the package. PATH is judged by its value.
constexpr std::array<std::string_view, 8> kHowToBuild = {"MAX_JOBS",
                                                         "NVCC_THREADS",
                                                         "CMAKE_BUILD_PARALLEL_LEVEL",
                                                         "TORCH_CUDA_ARCH_LIST",
                                                         "CUDAARCHS",
                                                         "CUDA_HOME",
                                                         "CUDACXX",
                                                         "TMPDIR"};

// The complete value, or nothing when the variable may not be set on one's own.
std::optional<std::string> Complete(const std::string& name, const std::string& value,
                                    const Knowledge& knowledge, const Environment& environment) {
  constexpr std::string_view kBefore = ":$PATH";
  if (name == "PATH") {
    if (!absl::EndsWith(value, Absl(kBefore)) || !value.starts_with('/')) return std::nullopt;
    const std::string first = value.substr(0, value.size() - kBefore.size());
    if (absl::StrContains(first, "$")) return std::nullopt;
    return absl::StrCat(first, ":", environment("PATH").value_or("/usr/bin:/bin"));
  }
  const bool is_known =
      std::find(kHowToBuild.begin(), kHowToBuild.end(), name) != kHowToBuild.end() ||
      knowledge.IsBuildVariable(name);
  if (!is_known || absl::StrContains(value, "$") || value.empty()) return std::nullopt;
  return value;
}

absl::Status No(std::string_view reason) { return absl::FailedPreconditionError(Absl(reason)); }

// `value` as a TOML basic string.
std::string TomlString(std::string_view value) {
  return absl::StrCat("\"", absl::StrReplaceAll(Absl(value), {{"\\", "\\\\"}, {"\"", "\\\""}}),
                      "\"");
}

// ShellQuote for any bytes: $'…', which bash, zsh and ksh read, where they are no plain text.
std::string QuoteBytes(const std::string& word) {
  if (Printable(word) == word) return ShellQuote(word);
  std::string quoted = "$'";
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      quoted += "\\n";
    } else if (c == '\t') {
      quoted += "\\t";
    } else if (c == '\'' || c == '\\') {
      quoted += {'\\', c};
    } else if (byte < 0x20 || byte >= 0x7f) {
      absl::StrAppendFormat(&quoted, "\\x%02x", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

}  // namespace

absl::StatusOr<RetryPlan> PlanRetry(const Report& report, const Knowledge& knowledge,
                                    const Environment& environment) {
  if (report.diagnoses.empty()) return No("nothing was found that a retry could change");
  const Diagnosis& diagnosis = report.diagnoses.front();
  if (diagnosis.role != Role::kRoot || diagnosis.confidence != Confidence::kCertain)
    return No("the cause is not certain");
  if (diagnosis.remedies.empty() || !diagnosis.remedies.front().is_only_env)
    return No("the fix changes more than variables of the environment");
  const Remedy& remedy = diagnosis.remedies.front();
  RetryPlan plan{remedy.title, {}};
  for (const auto& [name, value] : remedy.env) {
    std::optional<std::string> complete = Complete(name, value, knowledge, environment);
    if (!complete.has_value())
      return No(absl::StrCat("the fix sets ", name, ", which is left to you"));
    if (environment(name) != complete) plan.env.emplace_back(name, *std::move(complete));
  }
  if (plan.env.empty()) return No("the fix is in force already");
  return plan;
}

Recipe WriteRecipe(const Assignments& env, const std::vector<std::string>& command,
                   std::string_view package) {
  Recipe recipe;
  Assignments shown = env;
  for (auto& [name, value] : shown) {
    // Of a PATH only what was put before it is the recipe.
    if (name == "PATH") value = absl::StrCat(value.substr(0, value.find(':')), ":$PATH");
  }
  bool is_plain = true;
  std::string words;
  for (const std::string& word : command) {
    is_plain = is_plain && Printable(word) == word;
    absl::StrAppend(&words, " ", QuoteBytes(word));
  }
  std::string line = absl::StrCat(WriteCommandLine({shown, {}}), words);
  if (shown.empty()) line.erase(0, 1);
  recipe.shell = NameCredentials(line, recipe.hidden).value_or("");
  if (is_plain && !recipe.shell.empty()) recipe.dockerfile = absl::StrCat("RUN ", recipe.shell);
  const bool is_uv =
      !command.empty() && (command.front() == "uv" || absl::EndsWith(command.front(), "/uv"));
  if (is_uv && !package.empty()) {
    std::string variables;
    for (const auto& [name, value] : shown) {
      if (name == "PATH") continue;  // uv sets it as it is written, without expanding $PATH
      absl::StrAppend(&variables, variables.empty() ? "" : ", ", name, " = ", TomlString(value));
    }
    if (!variables.empty()) {
      recipe.uv = absl::StrCat("[tool.uv.extra-build-variables]\n", Absl(package), " = { ",
                               variables, " }");
    }
  }
  return recipe;
}

}  // namespace cudadoctor

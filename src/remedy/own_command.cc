#include "remedy/own_command.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/views.h"
#include "model/value.h"

namespace cudadoctor {
namespace {

// Options of pip and uv whose next word is their value.
constexpr std::array<std::string_view, 26> kTakesValue = {"-i",
                                                          "--index-url",
                                                          "--extra-index-url",
                                                          "--index",
                                                          "--default-index",
                                                          "-r",
                                                          "--requirement",
                                                          "--requirements",
                                                          "-c",
                                                          "--constraint",
                                                          "-f",
                                                          "--find-links",
                                                          "-t",
                                                          "--target",
                                                          "--prefix",
                                                          "-p",
                                                          "--root",
                                                          "-C",
                                                          "--config-settings",
                                                          "--python",
                                                          "--no-binary",
                                                          "--only-binary",
                                                          "--global-option",
                                                          "--build-option",
                                                          "--torch-backend",
                                                          "--cache-dir"};

bool TakesValue(std::string_view word) {
  return std::find(kTakesValue.begin(), kTakesValue.end(), word) != kTakesValue.end();
}

// The name of "flash-attn[extra]==2.8.3"; empty for a path, a URL and "name @ URL".
std::string NameOf(std::string_view requirement) {
  if (requirement.find_first_of("/\\@:") != std::string_view::npos ||
      requirement.starts_with('.') || absl::EndsWith(Absl(requirement), ".whl"))
    return "";
  return PackageKey(requirement.substr(0, requirement.find_first_of("[=<>!~; ")));
}

bool IsFromIndex(const Resolver& resolver, std::string_view package) {
  const std::vector<std::string> asked = resolver.AllOfLog("index_package");
  return std::any_of(asked.begin(), asked.end(), [&](const std::string& name) {
    return PackageKey(name) == PackageKey(package);
  });
}

std::string Versioned(const Resolver& resolver, std::string_view package) {
  const auto version = resolver.Get("package_version");
  return version.has_value() ? absl::StrCat(Absl(package), "==", version->text)
                             : std::string(package);
}

std::optional<CommandLine> ShownCommand(const Resolver& resolver) {
  const auto shown = resolver.Get("command");
  return shown.has_value() ? ParseCommandLine(shown->text) : std::nullopt;
}

// The path or URL that the log shows instead of a command: the one there is.
std::optional<std::string> Processed(const Resolver& resolver) {
  std::vector<std::string> places = resolver.AllOfLog("processed_path");
  const bool is_editable = resolver.Get("processed_editable").has_value();
  for (std::string& url : resolver.AllOfLog("processed_url")) places.push_back(std::move(url));
  if (places.size() != 1) return std::nullopt;
  return absl::StrCat(is_editable ? "-e " : "", ShellQuote(places.front()));
}

std::string Quoted(const std::string& target) {
  return absl::StartsWith(target, "-e ") ? absl::StrCat("-e ", ShellQuote(target.substr(3)))
                                         : ShellQuote(target);
}

// Whether the package was built without isolation: it was asked for, or the build ran with what
// the environment holds.
bool BuildsInEnvironment(const Resolver& resolver) {
  return resolver.Get("no_build_isolation").has_value() ||
         (resolver.Get("torch_in_build").has_value() &&
          !resolver.Get("isolated_build").has_value());
}

// Of the public index, and of those that have some packages only.
bool IsGeneral(std::string_view url) {
  static constexpr std::array<std::string_view, 9> kOthers = {
      "//pypi.org/",      "//pypi.python.org/", "//download.pytorch.org/",
      "//data.pyg.org/",  "//pypi.nvidia.com",  "//pypi.ngc.nvidia.com",
      "//flashinfer.ai/", "//wheels.vllm.ai/",  "//test.pypi.org/"};
  return std::none_of(kOthers.begin(), kOthers.end(), [url](std::string_view other) {
    return url.find(other) != std::string_view::npos;
  });
}

struct IndexChoice {
  std::vector<std::pair<std::string, std::string>> env;
  std::vector<std::string> words;
};

// What the user's command says of an index.
IndexChoice IndexOfCommand(const CommandLine& command) {
  static constexpr std::array<std::string_view, 5> kOptions = {"--index-url", "--extra-index-url",
                                                               "-i", "--index", "--default-index"};
  static constexpr std::array<std::string_view, 6> kVariables = {
      "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "UV_INDEX_URL", "UV_EXTRA_INDEX_URL",
      "UV_INDEX",      "UV_DEFAULT_INDEX"};
  IndexChoice choice;
  for (const auto& assignment : command.env) {
    const bool is_index =
        std::find(kVariables.begin(), kVariables.end(), assignment.first) != kVariables.end();
    if (is_index && IsGeneral(assignment.second)) choice.env.push_back(assignment);
  }
  for (size_t i = 0; i < command.words.size(); ++i) {
    const std::string& word = command.words[i];
    const std::string_view name = std::string_view(word).substr(0, word.find('='));
    if (std::find(kOptions.begin(), kOptions.end(), name) == kOptions.end()) continue;
    const bool has_value = name.size() < word.size();
    if (!has_value && i + 1 == command.words.size()) break;
    const std::string& value = has_value ? word : command.words[i + 1];
    if (IsGeneral(value)) {
      choice.words.push_back(word);
      if (!has_value) choice.words.push_back(value);
    }
    if (!has_value) ++i;
  }
  return choice;
}

IndexChoice IndexOf(const Resolver& resolver) {
  if (const std::optional<CommandLine> command = ShownCommand(resolver)) {
    IndexChoice choice = IndexOfCommand(*command);
    if (!choice.env.empty() || !choice.words.empty()) return choice;
  }
  // What pip is configured with it says, too, but then it needs no option, nor has anyone its
  // credentials at hand.
  IndexChoice choice;
  const auto main = resolver.Get("main_index");
  if (main.has_value() && IsGeneral(main->text) && main->text.find('*') == std::string::npos)
    choice.words = {"--index-url", main->text};
  return choice;
}

// Where the installation in `run` ends; nothing where it is none, or has an index.
std::optional<size_t> EndOfInstallation(std::string_view run) {
  const size_t install = run.find("pip install ");
  if (install == std::string_view::npos ||
      run.find("pip install ", install + 1) != std::string_view::npos)
    return std::nullopt;
  const std::string_view rest = run.substr(install);
  for (const std::string_view option :
       {"-index", "--index", " -i ", "--torch-backend", "--find-links", "--no-index", " -f ",
        " -r ", "download.pytorch.org"}) {
    if (rest.find(option) != std::string_view::npos) return std::nullopt;
  }
  const size_t end = rest.find_first_of("&|;");
  size_t length = end == std::string_view::npos ? rest.size() : end;
  while (length > 0 && rest[length - 1] == ' ') --length;
  return install + length;
}

}  // namespace

std::vector<std::string> TargetsOf(const std::vector<std::string>& words) {
  std::vector<std::string> targets;
  auto word = std::find(words.begin(), words.end(), "install");
  if (word == words.end()) word = std::find(words.begin(), words.end(), "add");
  if (word == words.end()) return targets;
  for (++word; word != words.end(); ++word) {
    if (*word == "-e" || *word == "--editable") {
      if (++word == words.end()) break;
      targets.push_back(absl::StrCat("-e ", *word));
    } else if (TakesValue(*word)) {
      if (++word == words.end()) break;
    } else if (!word->starts_with('-')) {
      targets.push_back(*word);
    }
  }
  return targets;
}

std::optional<std::string> PackageSpec(const Resolver& resolver) {
  const auto package = resolver.Get("package");
  if (!package.has_value()) return std::nullopt;
  const bool is_public = resolver.knowledge().LookUp("package-on-pypi", {package->text}) != "no";
  if (resolver.Get("command").has_value()) {
    const std::optional<CommandLine> command = ShownCommand(resolver);
    const std::vector<std::string> targets =
        command.has_value() ? TargetsOf(command->words) : std::vector<std::string>();
    for (const std::string& target : targets) {
      if (NameOf(target) == PackageKey(package->text))
        return ShellQuote(target.find_first_of("=<>!~") == std::string::npos && is_public &&
                                  target.find('[') == std::string::npos
                              ? Versioned(resolver, target)
                              : target);
    }
    // One that is asked for by its place is that package, unless an index was asked for it.
    if (targets.size() == 1 && NameOf(targets.front()).empty() &&
        !IsFromIndex(resolver, package->text))
      return Quoted(targets.front());
  }
  if (IsFromIndex(resolver, package->text))
    return is_public ? std::optional(ShellQuote(Versioned(resolver, package->text))) : std::nullopt;
  return Processed(resolver);
}

bool IsAskedByPlace(const Resolver& resolver) {
  const std::optional<std::string> spec = PackageSpec(resolver);
  return spec.has_value() && (spec->starts_with("-e ") || NameOf(*spec).empty());
}

std::optional<CommandLine> OwnCommand(const Resolver& resolver) {
  const auto package = resolver.Get("package");
  if (resolver.Get("command").has_value()) {
    std::optional<CommandLine> command = ShownCommand(resolver);
    if (command.has_value() && command->lost_options) return std::nullopt;
    if (command.has_value() && package.has_value()) {
      // A variable that this package's build does not read is not carried along.
      const auto is_ignored = [&](const auto& assignment) {
        const std::vector<std::string> arguments = {package->text, assignment.first};
        return resolver.knowledge().LookUp("package-ignores", arguments) == "yes";
      };
      command->env.erase(std::remove_if(command->env.begin(), command->env.end(), is_ignored),
                         command->env.end());
    }
    return command;
  }
  const auto tool = resolver.Get("tool");
  if (!tool.has_value() || (tool->text != "pip" && tool->text != "uv")) return std::nullopt;
  const std::optional<std::string> spec = PackageSpec(resolver);
  if (!spec.has_value()) return std::nullopt;
  return ParseCommandLine(
      WithIndex(absl::StrCat(tool->text == "uv" ? "uv " : "", "pip install ", *spec,
                             BuildsInEnvironment(resolver) ? " --no-build-isolation" : ""),
                resolver));
}

bool SetJobs(const std::string& jobs, CommandLine& command) {
  std::vector<std::string>& words = command.words;
  const std::string_view program = std::string_view(words[0]).substr(words[0].rfind('/') + 1);
  const bool is_cmake = program == "cmake" && words.size() > 1 && words[1] == "--build";
  if (!is_cmake && program != "make" && program != "gmake" && program != "ninja") return false;
  const auto is_number = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  // What stands behind -- is for the tool that CMake calls.
  const auto end = std::find(words.begin(), words.end(), "--");
  for (auto word = words.begin() + 1; word != end; ++word) {
    for (const std::string_view option : {"--parallel", "--jobs", "-j"}) {
      if (!word->starts_with(option)) continue;
      const std::string_view value = std::string_view(*word).substr(option.size());
      const bool has_next = value.empty() && word + 1 != end && is_number(*(word + 1));
      if (has_next) {
        *(word + 1) = jobs;
      } else if (value.empty() || is_number(value) || value.starts_with("=")) {
        *word = absl::StrCat(Absl(option), option == "-j" ? "" : "=", jobs);
      } else {
        continue;
      }
      return true;
    }
  }
  words.insert(end, is_cmake ? absl::StrCat("--parallel=", jobs) : absl::StrCat("-j", jobs));
  return true;
}

void SetWord(std::string word, CommandLine& command) {
  std::vector<std::string>& words = command.words;
  if (std::find(words.begin(), words.end(), word) != words.end()) return;
  const size_t equals = word.find('=');
  const bool is_requirement = !word.starts_with('-') && !NameOf(word).empty() &&
                              (equals == word.npos || word.find_first_of("<>!~") < equals ||
                               word.compare(equals, 2, "==") == 0);
  const auto is_same = [&](const std::string& other) {
    if (is_requirement) return !other.starts_with('-') && NameOf(other) == NameOf(word);
    return equals != word.npos && other.starts_with(word.substr(0, equals + 1));
  };
  const auto old = std::find_if(words.begin() + 1, words.end(), is_same);
  if (old == words.end()) {
    words.push_back(std::move(word));
  } else {
    *old = std::move(word);
  }
}

std::string WithIndex(std::string run, const Resolver& resolver) {
  const std::optional<size_t> end = EndOfInstallation(run);
  if (!end.has_value()) return run;
  const IndexChoice choice = IndexOf(resolver);
  std::string words;
  for (const std::string& word : choice.words) absl::StrAppend(&words, " ", ShellQuote(word));
  run.insert(*end, words);
  std::string env;
  for (const auto& [name, value] : choice.env)
    absl::StrAppend(&env, name, "=", ShellQuote(value), " ");
  return absl::StrCat(env, run);
}

}  // namespace cudadoctor

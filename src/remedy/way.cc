#include "remedy/way.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "base/views.h"
#include "model/value.h"
#include "remedy/script.h"
#include "remedy/shell.h"
#include "remedy/template.h"

namespace cudadoctor {
namespace {

constexpr std::string_view kTorchIndex = "https://download.pytorch.org/whl/";

// What an installation by pip or uv pip asks for.
struct Installation {
  std::vector<std::string> requirements;  // "numpy<2"
  std::string index;                      // a URL, or empty
  bool is_newest = false;                 // --upgrade
};

bool IsOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// The words behind "pip install", "uv pip install" or "python -m pip install"; nothing for another
// command.
std::optional<std::vector<std::string>> ArgumentsOfInstall(const SimpleCommand& command) {
  if (!command.env.empty() || command.output.has_value()) return std::nullopt;
  std::vector<std::string> words;
  for (const Word& word : command.words) {
    if (word.Text().empty()) return std::nullopt;
    words.push_back(word.Text());
  }
  for (const std::vector<std::string>& start : {std::vector<std::string>{"pip", "install"},
                                                {"uv", "pip", "install"},
                                                {"python", "-m", "pip", "install"}}) {
    if (words.size() > start.size() && std::equal(start.begin(), start.end(), words.begin()))
      return std::vector<std::string>(words.begin() + static_cast<long>(start.size()), words.end());
  }
  return std::nullopt;
}

// Nothing where a tool for projects would not understand it.
std::optional<Installation> ReadInstallation(const SimpleCommand& command) {
  const std::optional<std::vector<std::string>> words = ArgumentsOfInstall(command);
  if (!words.has_value()) return std::nullopt;
  Installation found;
  for (size_t i = 0; i < words->size(); ++i) {
    const std::string& word = (*words)[i];
    constexpr std::string_view kBackend = "--torch-backend=";
    if (IsOneOf(word, {"--upgrade", "-U"})) {
      found.is_newest = true;
    } else if (IsOneOf(word, {"--force-reinstall", "--reinstall", "--no-cache-dir", "--system"})) {
      // A project's environment is made to fit in any case.
    } else if (IsOneOf(word, {"--index-url", "--extra-index-url"}) && i + 1 < words->size()) {
      found.index = (*words)[++i];
    } else if (word.starts_with(kBackend) && word != "--torch-backend=auto") {
      found.index = absl::StrCat(Absl(kTorchIndex), word.substr(kBackend.size()));
    } else if (!word.starts_with("-") && word.find_first_of("/\\@:") == std::string::npos &&
               !word.starts_with(".") && !word.ends_with(".whl") &&
               Normalize(ValueType::kRequirement, word).has_value()) {
      found.requirements.push_back(word);
    } else {
      return std::nullopt;
    }
  }
  if (found.requirements.empty()) return std::nullopt;
  return found;
}

std::string NameOf(const std::string& requirement) {
  return requirement.substr(0, requirement.find_first_of("[=<>!~; "));
}

// A name for an index in a project file: "pytorch-cu128".
std::string NameOfIndex(std::string_view url) {
  if (url.starts_with(kTorchIndex)) {
    url.remove_prefix(kTorchIndex.size());
    return absl::StrCat("pytorch-", Absl(url.substr(0, url.find('/'))));
  }
  return "packages";
}

class ProjectWriter {
 public:
  explicit ProjectWriter(const Ways& ways) : ways_(ways) {}

  // Empty where the tool has no way of its own.
  std::string Write(const SimpleCommand& command) const {
    if (const std::optional<Installation> installation = ReadInstallation(command)) {
      if (std::optional<std::string> way = WayOf(*installation)) return *std::move(way);
    }
    // An environment of such a tool may have no pip.
    const bool is_python = IsOneOf(command.program(), {"python", "python3"}) &&
                           command.words.size() > 1 && command.words[1].Text() != "-m";
    if (is_python && command.env.empty() && !command.output.has_value() && Has("command")) {
      std::vector<std::string> words;
      for (const Word& word : command.words) {
        if (word.Text().empty()) return "";
        words.push_back(ShellQuote(word.Text()));
      }
      return Fill("command", {{"command", absl::StrJoin(words, " ")}});
    }
    return "";
  }

 private:
  using Values = std::vector<std::pair<std::string_view, std::string>>;

  bool Has(std::string_view need) const { return ways_.find(need) != ways_.end(); }

  std::string Fill(std::string_view need, const Values& values) const {
    const auto way = ways_.find(need);
    if (way == ways_.end()) return "";
    const FillHole fill = [&values](std::string_view name) -> std::optional<HoleValue> {
      for (const auto& [known, text] : values)
        if (known == name) return HoleValue{ValueType::kWord, text, true};
      return std::nullopt;
    };
    return FillTemplate(way->second, Target::kCommand, fill).value_or("");
  }

  std::optional<std::string> WayOf(const Installation& installation) const {
    std::vector<std::string> quoted;
    bool has_version = false;
    for (const std::string& requirement : installation.requirements) {
      quoted.push_back(ShellQuote(requirement));
      has_version = has_version || requirement != NameOf(requirement);
    }
    Values values = {{"requirements", absl::StrJoin(quoted, " ")}};
    if (!installation.index.empty()) {
      values.emplace_back("index", ShellQuote(installation.index));
      values.emplace_back("index_name", NameOfIndex(installation.index));
      return NotEmpty(Fill("package_of_index", values));
    }
    if (installation.is_newest && !has_version && Has("newest_package"))
      return NotEmpty(Fill("newest_package", values));
    return NotEmpty(Fill("package", values));
  }

  static std::optional<std::string> NotEmpty(std::string text) {
    return text.empty() ? std::nullopt : std::optional(std::move(text));
  }

  const Ways& ways_;
};

// `run` with pip and python of `interpreter`.
std::string WithInterpreter(const std::string& run, const std::string& interpreter) {
  const std::optional<std::vector<SimpleCommand>> commands = ReadScript(run);
  if (!commands.has_value() || commands->size() != 1) return run;
  const SimpleCommand& command = commands->front();
  const bool is_pip = IsOneOf(command.program(), {"pip", "pip3"});
  if (!is_pip && !IsOneOf(command.program(), {"python", "python3"})) return run;
  const size_t program = run.find(command.program());
  std::string typed = run;
  return typed.replace(program, command.program().size(),
                       absl::StrCat(ShellQuote(interpreter), is_pip ? " -m pip" : ""));
}

}  // namespace

absl::StatusOr<std::string> InProject(const std::string& run, const RuleSet& rules,
                                      const Resolver& resolver) {
  if (const auto interpreter = resolver.Get("interpreter"))
    return WithInterpreter(run, interpreter->text);
  const auto project = resolver.Get("project");
  if (!project.has_value()) return run;
  ASSIGN_OR_RETURN(const Ways* ways, rules.WaysOf(project->text));
  const std::optional<std::vector<SimpleCommand>> commands = ReadScript(run);
  if (ways == nullptr || !commands.has_value()) return run;
  std::vector<std::string> written;
  for (const SimpleCommand& command : *commands) {
    std::string text = ProjectWriter(*ways).Write(command);
    if (text.empty()) return run;
    written.push_back(std::move(text));
  }
  return absl::StrJoin(written, " && ");
}

}  // namespace cudadoctor

#include "remedy/shell.h"

#include <algorithm>
#include <array>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/views.h"
#include "model/assignments.h"

namespace cudadoctor {
namespace {

bool IsPlain(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
         std::string_view("@%+=:,./_-").find(c) != std::string_view::npos;
}

// Splits as a shell does, without expanding anything. Stops at a pipe or a redirection; nothing for
// what cannot be repeated safely.
std::optional<std::vector<std::string>> SplitWords(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  const auto end_word = [&] {
    if (in_word) words.push_back(word);
    word.clear();
    in_word = false;
  };
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == ' ') {
      end_word();
    } else if (c == '\'' || c == '"') {
      const size_t close = line.find(c, i + 1);
      if (close == std::string_view::npos) return std::nullopt;
      const std::string_view quoted = line.substr(i + 1, close - i - 1);
      if (c == '"' && quoted.find_first_of("$`\\") != std::string_view::npos) return std::nullopt;
      word.append(quoted);
      in_word = true;
      i = close;
    } else if (c == '|' || c == '>' || (c == '2' && line.substr(i, 2) == "2>" && !in_word)) {
      if (c == '|' && line.substr(i, 2) == "||") return std::nullopt;
      // An unquoted "torch>=2.0" redirects in a shell; what was meant is a requirement.
      if (c == '>' && in_word && line.substr(i, 2) == ">=") {
        word.append(">=");
        ++i;
        continue;
      }
      end_word();
      break;
    } else if (line.substr(i, 3) == "***") {  // what is masked becomes a variable
      for (; i + 1 < line.size() && line[i + 1] == '*'; ++i) word.push_back('*');
      word.push_back('*');
      in_word = true;
    } else if (std::string_view(";&`$()<{}*?!#~\\").find(c) != std::string_view::npos) {
      const bool is_harmless = (c == '~' && in_word) || (c == '<' && in_word) ||
                               (c == '!' && in_word) ||
                               (c == '*' && in_word && absl::StrContains(word, "="));
      if (!is_harmless) return std::nullopt;
      word.push_back(c);
    } else if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) {
      return std::nullopt;
    } else {
      word.push_back(c);
      in_word = true;
    }
  }
  end_word();
  return words;
}

bool IsTool(std::string_view word) {
  static constexpr std::array<std::string_view, 24> kTools = {
      "pip",        "pip3",   "uv",     "uvx",   "python", "python3", "conda", "mamba",
      "micromamba", "poetry", "pdm",    "rye",   "pixi",   "cmake",   "make",  "ninja",
      "pipx",       "hatch",  "colcon", "meson", "cargo",  "apt-get", "apt",   "ctest"};
  word.remove_prefix(word.rfind('/') + 1);
  if (absl::StartsWith(Absl(word), "python3.") || absl::StartsWith(Absl(word), "pip3."))
    return true;
  return std::find(kTools.begin(), kTools.end(), word) != kTools.end();
}

// What no remedy may repeat, though the user typed it.
void DropHarmfulOptions(std::vector<std::string>& words) {
  static constexpr std::array<std::string_view, 5> kAlone = {
      "--break-system-packages", "--allow-unauthenticated", "--no-check-certificate", "--force-yes",
      "--insecure"};
  for (size_t i = 0; i < words.size();) {
    const std::string& word = words[i];
    if (word == "--trusted-host" || word == "--allow-insecure-host") {
      words.erase(words.begin() + static_cast<long>(i),
                  words.begin() + static_cast<long>(std::min(i + 2, words.size())));
    } else if (std::find(kAlone.begin(), kAlone.end(), word) != kAlone.end() ||
               absl::StartsWith(word, "--trusted-host=")) {
      words.erase(words.begin() + static_cast<long>(i));
    } else {
      ++i;
    }
  }
}

}  // namespace

std::string ShellQuote(std::string_view word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), IsPlain)) return std::string(word);
  return absl::StrCat("'", absl::StrReplaceAll(Absl(word), {{"'", "'\\''"}}), "'");
}

std::string QuoteAssignment(std::string_view value) {
  // Variables stay unquoted between the quoted rest: /usr/local/cuda-12.8/bin:$PATH.
  std::string text;
  while (!value.empty()) {
    const size_t dollar = value.find('$');
    const std::string_view before = value.substr(0, dollar);
    if (!before.empty()) absl::StrAppend(&text, ShellQuote(before));
    if (dollar == std::string_view::npos) break;
    value.remove_prefix(dollar + 1);
    size_t length = 0;
    while (length < value.size() &&
           (absl::ascii_isalnum(static_cast<unsigned char>(value[length])) || value[length] == '_'))
      ++length;
    const std::string_view name = value.substr(0, length);
    absl::StrAppend(&text, IsVariableName(name) ? absl::StrCat("$", Absl(name))
                                                : ShellQuote(absl::StrCat("$", Absl(name))));
    value.remove_prefix(length);
  }
  return text.empty() ? "''" : text;
}

std::optional<CommandLine> ParseCommandLine(std::string_view line) {
  if (line.size() > 1000) return std::nullopt;
  const size_t start = line.find_first_not_of("$%!+> ");
  if (start == std::string_view::npos) return std::nullopt;
  line.remove_prefix(start);
  std::optional<std::vector<std::string>> words = SplitWords(line);
  if (!words.has_value()) return std::nullopt;
  CommandLine command;
  size_t i = 0;
  for (; i < words->size(); ++i) {
    const std::string& word = (*words)[i];
    const size_t equals = word.find('=');
    if (equals != std::string::npos && IsVariableName(word.substr(0, equals))) {
      // WriteCommandLine would take a literal dollar for a variable.
      if (absl::StrContains(word, "$")) return std::nullopt;
      command.env.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    } else if (word != "sudo" && word != "-H" && word != "-E" && word != "env" && word != "time") {
      break;
    }
  }
  command.words.assign(words->begin() + static_cast<long>(i), words->end());
  const size_t typed = command.words.size();
  DropHarmfulOptions(command.words);
  command.lost_options = command.words.size() < typed;
  const bool runs_alone =
      !command.words.empty() && (command.words[0] == "make" || command.words[0] == "ninja");
  if (command.words.size() < (runs_alone ? 1 : 2) || !IsTool(command.words.front()))
    return std::nullopt;
  const bool is_apt = command.words[0] == "apt" || command.words[0] == "apt-get";
  if (is_apt && std::find(words->begin(), words->begin() + static_cast<long>(i), "sudo") !=
                    words->begin() + static_cast<long>(i))
    command.words.insert(command.words.begin(), "sudo");
  return command;
}

std::string WriteCommandLine(const CommandLine& command) {
  std::string text;
  for (const auto& [name, value] : command.env)
    absl::StrAppend(&text, text.empty() ? "" : " ", name, "=", QuoteAssignment(value));
  for (const std::string& word : command.words)
    absl::StrAppend(&text, text.empty() ? "" : " ", ShellQuote(word));
  return text;
}

}  // namespace cudadoctor

#include "remedy/dialect.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "base/views.h"
#include "remedy/script.h"

namespace cudadoctor {
namespace {

template <size_t kSize>
bool IsOneOf(std::string_view word, const std::array<std::string_view, kSize>& names) {
  return std::find(names.begin(), names.end(), word) != names.end();
}

// Programs that Windows has not, or under another meaning.
bool IsOfUnix(std::string_view program) {
  static constexpr std::array<std::string_view, 41> kPrograms = {
      "sudo",     "apt",    "apt-get", "apt-cache", "apt-file", "dnf",   "yum",
      "zypper",   "pacman", "apk",     "ls",        "cat",      "grep",  "sed",
      "rm",       "cp",     "mv",      "chmod",     "chown",    "ldd",   "ldconfig",
      "df",       "free",   "ulimit",  "find",      "env",      "pgrep", "pkill",
      "ps",       "lsof",   "dmesg",   "systemctl", "nproc",    "which", "command",
      "modprobe", "ln",     "strings", "dpkg",      "touch",    "printf"};
  return IsOneOf(program, kPrograms);
}

// A path of a virtual environment as Windows has it.
std::string WindowsPath(std::string text) {
  const size_t at = text.find("/bin/");
  if (at != std::string::npos && !absl::StartsWith(text, "/"))
    text = absl::StrReplaceAll(text, {{"/bin/", "\\Scripts\\"}, {"/", "\\"}});
  return text;
}

// What cmd.exe and PowerShell have in common.
class WindowsWriter {
 public:
  virtual ~WindowsWriter() = default;

  std::optional<std::string> Write(const std::vector<SimpleCommand>& commands) const {
    std::vector<std::string> lines;
    for (const SimpleCommand& command : commands) {
      for (const auto& [name, value] : command.env) lines.push_back(Assign(name, value));
      if (command.words.empty()) continue;
      const std::string program = command.program();
      if (IsOfUnix(program)) return std::nullopt;
      if (program == "export") {
        for (size_t i = 1; i < command.words.size(); ++i) {
          std::vector<std::pair<std::string, Word>> env;
          if (!Export(command.words[i], env)) return std::nullopt;
          lines.push_back(Assign(env[0].first, env[0].second));
        }
        continue;
      }
      if (program == "unset") {
        for (size_t i = 1; i < command.words.size(); ++i)
          lines.push_back(Unset(command.words[i].Text()));
        continue;
      }
      if (program == "." || program == "source") {
        if (command.words.size() != 2) return std::nullopt;
        lines.push_back(Activate(WindowsPath(command.words[1].Text())));
        continue;
      }
      if (command.output.has_value()) {
        if (program != "echo" || command.words.size() != 2) return std::nullopt;
        lines.push_back(WriteFile(command.words[1], Quote(*command.output), command.appends));
        continue;
      }
      std::vector<std::string> words;
      for (const Word& word : command.words) words.push_back(Quote(word));
      if (words[0] == "python3" || words[0] == "pip3") words[0].pop_back();
      lines.push_back(absl::StrJoin(words, " "));
    }
    return absl::StrJoin(lines, "\n");
  }

 protected:
  virtual std::string Assign(const std::string& name, const Word& value) const = 0;
  virtual std::string Unset(const std::string& name) const = 0;
  virtual std::string Activate(const std::string& script) const = 0;
  virtual std::string WriteFile(const Word& line, const std::string& file, bool appends) const = 0;
  virtual std::string Variable(const std::string& name) const = 0;
  virtual std::string Quote(const Word& word) const = 0;

  // The word with its variables written; of a list of folders with Windows' separator.
  std::string Expanded(const Word& word) const {
    std::string text;
    for (size_t i = 0; i < word.pieces.size(); ++i) {
      const Piece& piece = word.pieces[i];
      if (piece.is_variable) {
        absl::StrAppend(&text, Variable(piece.text == "HOME" ? "USERPROFILE" : piece.text));
        continue;
      }
      std::string part = WindowsPath(piece.text);
      const bool is_before_list =
          i + 1 < word.pieces.size() && word.pieces[i + 1].is_variable && absl::EndsWith(part, ":");
      if (is_before_list) part.back() = ';';
      absl::StrAppend(&text, part);
    }
    return text;
  }

 private:
  static bool Export(const Word& word, std::vector<std::pair<std::string, Word>>& env) {
    if (word.pieces.empty() || word.pieces[0].is_variable) return false;
    const std::string& text = word.pieces[0].text;
    const size_t equals = text.find('=');
    if (equals == std::string::npos) return false;
    Word value = word;
    value.pieces[0].text = text.substr(equals + 1);
    env.emplace_back(text.substr(0, equals), std::move(value));
    return true;
  }
};

class CmdWriter : public WindowsWriter {
 protected:
  std::string Assign(const std::string& name, const Word& value) const override {
    return absl::StrCat("set \"", name, "=", Expanded(value), "\"");
  }
  std::string Unset(const std::string& name) const override {
    return absl::StrCat("set ", name, "=");
  }
  std::string Activate(const std::string& script) const override { return script; }
  std::string WriteFile(const Word& line, const std::string& file, bool appends) const override {
    const std::string text = absl::StrReplaceAll(
        Expanded(line), {{"^", "^^"}, {"<", "^<"}, {">", "^>"}, {"&", "^&"}, {"|", "^|"}});
    return absl::StrCat("echo ", text, appends ? ">>" : ">", " ", file);
  }
  std::string Variable(const std::string& name) const override {
    return absl::StrCat("%", name, "%");
  }
  std::string Quote(const Word& word) const override {
    const std::string text = Expanded(word);
    const bool needs = text.empty() || text.find_first_of(" \t&|<>^();,'\"") != std::string::npos;
    return needs ? absl::StrCat("\"", absl::StrReplaceAll(text, {{"\"", "\\\""}}), "\"") : text;
  }
};

class PowerShellWriter : public WindowsWriter {
 protected:
  std::string Assign(const std::string& name, const Word& value) const override {
    return absl::StrCat("$env:", name, " = ", Always(value));
  }
  std::string Unset(const std::string& name) const override {
    return absl::StrCat("Remove-Item Env:", name);
  }
  std::string Activate(const std::string& script) const override {
    return absl::StrReplaceAll(script, {{"\\activate", "\\Activate.ps1"}});
  }
  std::string WriteFile(const Word& line, const std::string& file, bool appends) const override {
    return absl::StrCat(appends ? "Add-Content " : "Set-Content ", file, " ", Always(line));
  }
  std::string Variable(const std::string& name) const override {
    return absl::StrCat("$env:", name);
  }
  std::string Quote(const Word& word) const override {
    const std::string text = Expanded(word);
    const bool needs =
        text.empty() || text.find_first_of(" \t&|<>;,(){}@#`'\"") != std::string::npos;
    return needs ? Always(word) : text;
  }

 private:
  std::string Always(const Word& word) const {
    const std::string text = Expanded(word);
    const bool has_variable = std::any_of(word.pieces.begin(), word.pieces.end(),
                                          [](const Piece& piece) { return piece.is_variable; });
    if (has_variable) return absl::StrCat("\"", absl::StrReplaceAll(text, {{"\"", "`\""}}), "\"");
    return absl::StrCat("'", absl::StrReplaceAll(text, {{"'", "''"}}), "'");
  }
};

// Whether a command holds nothing that only a POSIX shell reads.
bool IsOfAnyShell(std::string_view run) {
  static constexpr std::array<std::string_view, 8> kPosix = {"'",      "$",  "\\\n",     "export ",
                                                             "unset ", "> ", "python3 ", "/bin/"};
  const bool has_posix = std::any_of(kPosix.begin(), kPosix.end(), [run](std::string_view part) {
    return absl::StrContains(Absl(run), Absl(part));
  });
  if (has_posix) return false;
  const std::string_view first = run.substr(0, run.find(' '));
  return first.find('=') == std::string_view::npos && !IsOfUnix(first) && first != "." &&
         first != "source";
}

std::optional<std::string> InWindows(std::string_view run, const WindowsWriter& writer) {
  if (IsOfAnyShell(run)) return std::string(run);
  const std::optional<std::vector<SimpleCommand>> commands = ReadScript(run);
  if (!commands.has_value()) return std::nullopt;
  return writer.Write(*commands);
}

// What is done beside a Dockerfile rather than in it, or only looked at.
bool IsOfDockerHost(std::string_view run) {
  static constexpr std::array<std::string_view, 31> kPrograms = {
      "docker",    "podman",      "buildah",    "kubectl",
      "gh",        "git",         "nvidia-smi", "nvidia-ctk",
      "sudo",      "systemctl",   "modprobe",   "ubuntu-drivers",
      "reboot",    "wsl",         "cd",         "uv lock",
      "uv add",    "poetry lock", "pdm lock",   "sed -i -E '/^FROM",
      "ls",        "cat",         "grep",       "df",
      "ldd",       "free",        "nvcc",       "c++filt",
      "apt-cache", "pip list",    "env"};
  return std::any_of(kPrograms.begin(), kPrograms.end(), [run](std::string_view program) {
    return run == program || (run.starts_with(program) && run[program.size()] == ' ');
  });
}

// What `export …` or `. …/bin/activate` is as ENV, which every later step sees; nothing for
// another command, or where a value has to be computed.
std::optional<std::string> AsEnv(std::string_view run) {
  const std::optional<std::vector<SimpleCommand>> commands = ReadScript(run);
  if (!commands.has_value() || commands->size() != 1) return std::nullopt;
  const SimpleCommand& command = commands->front();
  if (command.program() == "export") return absl::StrCat("ENV ", Absl(run.substr(7)));
  const bool activates =
      (command.program() == "." || command.program() == "source") && command.words.size() == 2;
  if (!activates) return std::nullopt;
  // ENV knows no $HOME.
  std::string folder = command.words[1].Text();
  constexpr std::string_view kScript = "/activate";
  if (!folder.ends_with("/bin/activate")) return std::nullopt;
  folder.resize(folder.size() - kScript.size());
  return absl::StrCat("ENV PATH=", folder, ":$PATH");
}

std::string InDockerfile(std::string_view run) {
  const std::string one_line = absl::StrReplaceAll(Absl(run), {{"\\\n", ""}});
  if (IsOfDockerHost(run) || absl::StrContains(Absl(run), "Dockerfile") ||
      absl::StrContains(one_line, "\n"))
    return std::string(run);
  return AsEnv(run).value_or(absl::StrCat("RUN ", Absl(run)));
}

std::string InFish(std::string_view run) {
  std::string text = absl::StrReplaceAll(Absl(run), {{"/bin/activate", "/bin/activate.fish"}});
  if (absl::StartsWith(text, "unset ")) text = "set -e " + text.substr(6);
  return text;
}

std::string InNotebook(std::string_view run) {
  for (const std::string_view pip : {"pip ", "pip3 ", "python -m pip ", "python3 -m pip "}) {
    if (run.starts_with(pip)) return absl::StrCat("%pip ", Absl(run.substr(pip.size())));
  }
  if (run.starts_with("cd ")) return absl::StrCat("%", Absl(run));
  if (run.starts_with("export ")) {
    const std::optional<std::vector<SimpleCommand>> commands = ReadScript(run);
    if (commands.has_value() && commands->size() == 1) {
      std::vector<std::string> lines;
      for (size_t i = 1; i < commands->front().words.size(); ++i) {
        const Word& word = commands->front().words[i];
        if (word.Text().empty()) return absl::StrCat("!", Absl(run));
        lines.push_back(absl::StrCat("%env ", word.Text()));
      }
      return absl::StrJoin(lines, "\n");
    }
  }
  return absl::StrCat("!", Absl(run));
}

constexpr std::array<std::pair<std::string_view, Shell>, 6> kShells = {{
    {"posix", Shell::kPosix},
    {"fish", Shell::kFish},
    {"cmd", Shell::kCmd},
    {"powershell", Shell::kPowerShell},
    {"notebook", Shell::kNotebook},
    {"dockerfile", Shell::kDockerfile},
}};

}  // namespace

std::string_view NameOf(Shell shell) {
  for (const auto& [name, known] : kShells)
    if (known == shell) return name;
  return "";
}

Shell ShellOf(const Resolver& resolver) {
  if (const auto fact = resolver.Get("shell")) {
    for (const auto& [name, shell] : kShells)
      if (fact->text == name) return shell;
    return Shell::kPosix;
  }
  const auto os = resolver.Get("os");
  return os.has_value() && os->text == "windows" ? Shell::kCmd : Shell::kPosix;
}

std::optional<std::string> InShell(std::string_view run, Shell shell) {
  switch (shell) {
    case Shell::kPosix:
      return std::string(run);
    case Shell::kFish:
      return InFish(run);
    case Shell::kCmd:
      return InWindows(run, CmdWriter());
    case Shell::kPowerShell:
      return InWindows(run, PowerShellWriter());
    case Shell::kNotebook:
      return InNotebook(run);
    case Shell::kDockerfile:
      return InDockerfile(run);
  }
  return std::nullopt;
}

}  // namespace cudadoctor

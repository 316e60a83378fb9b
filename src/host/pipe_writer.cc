#include "host/pipe_writer.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/views.h"
#include "host/root_files.h"

namespace cudadoctor {
namespace {

constexpr std::chrono::milliseconds kPause(100);
// A command may fail at once: the first blocks are looked at without a pause.
constexpr int kEagerLooks = 8;

// Subshells, wrappers and copiers between a shell and what it was asked to run.
constexpr int kMaxDepth = 6;

std::vector<std::string> SplitAtNul(std::string text) {
  if (!text.empty() && text.back() == '\0') text.pop_back();
  if (text.empty()) return {};
  return absl::StrSplit(text, '\0');
}

std::string FolderOfProcess(int pid) { return absl::StrCat("/proc/", pid); }

// What an open descriptor is: "pipe:[4711]" or a path; empty when it cannot be told.
std::string LinkOf(int pid, int descriptor) {
  std::array<char, 64> buffer;
  const std::string path = absl::StrCat(FolderOfProcess(pid), "/fd/", descriptor);
  const ssize_t size = readlink(path.c_str(), buffer.data(), buffer.size());
  return size < 0 ? "" : std::string(buffer.data(), static_cast<size_t>(size));
}

bool IsPipe(std::string_view link) { return link.starts_with("pipe:"); }

std::vector<std::string> ArgumentsOf(int pid) {
  return SplitAtNul(RootFiles("").Read(FolderOfProcess(pid) + "/cmdline"));
}

std::vector<int> ChildrenOf(int pid) {
  std::vector<int> children;
  const std::string list =
      RootFiles("").Read(absl::StrCat(FolderOfProcess(pid), "/task/", pid, "/children"));
  for (const absl::string_view word : absl::StrSplit(list, ' ', absl::SkipWhitespace())) {
    int child = 0;
    if (absl::SimpleAtoi(word, &child)) children.push_back(child);
  }
  return children;
}

// The child of `parent` that writes into `pipe`; 0 when there is none.
int WriterBelow(int parent, const std::string& pipe) {
  for (const int child : ChildrenOf(parent)) {
    if (child == getpid()) continue;
    if (LinkOf(child, STDOUT_FILENO) == pipe || LinkOf(child, STDERR_FILENO) == pipe) return child;
  }
  return 0;
}

template <size_t kSize>
bool IsOneOf(std::string_view program, const std::array<std::string_view, kSize>& names) {
  return std::find(names.begin(), names.end(), NameOf(program)) != names.end();
}

// What hands on what it reads.
bool IsCopier(std::string_view program) {
  return IsOneOf(program, std::array<std::string_view, 3>{"tee", "cat", "ts"});
}

// What runs another command rather than doing something itself.
bool IsWrapper(std::string_view program) {
  return IsOneOf(program,
                 std::array<std::string_view, 10>{"env", "sudo", "doas", "time", "nice", "nohup",
                                                  "timeout", "stdbuf", "ionice", "taskset"});
}

// A shell that was forked for a group of commands, or that has them in its arguments. One that
// reads a script runs too much for one of its commands to stand for it.
bool IsSubshell(const std::vector<std::string>& arguments, int shell) {
  if (arguments == ArgumentsOf(shell)) return true;
  return arguments.size() > 2 && arguments[1].starts_with("-") && arguments[1].ends_with("c") &&
         IsOneOf(arguments[0], std::array<std::string_view, 5>{"sh", "bash", "dash", "zsh", "ksh"});
}

bool IsInterpreter(std::string_view program) {
  const std::string_view name = NameOf(program);
  return name.starts_with("python") || name.starts_with("pypy");
}

// The command line of a process as it was typed.
std::vector<std::string> Typed(std::vector<std::string> arguments, const PipeWriter& writer) {
  if (arguments.size() < 2 || !IsInterpreter(arguments[0]) || !arguments[1].starts_with("/") ||
      arguments[1].ends_with(".py"))
    return arguments;
  arguments.erase(arguments.begin());
  // The kernel names the script as it was found in PATH.
  const std::string path = writer.Variable("PATH").value_or("");
  const std::string name(NameOf(arguments[0]));
  for (const absl::string_view folder : absl::StrSplit(path, ':', absl::SkipEmpty())) {
    const std::string found = JoinPath(Std(folder), name);
    if (!RootFiles("").IsProgram(found)) continue;
    if (found == arguments[0]) arguments[0] = name;
    break;
  }
  return arguments;
}

}  // namespace

std::optional<std::string> PipeWriter::Variable(std::string_view name) const {
  for (const auto& [known, value] : environment)
    if (known == name) return value;
  return std::nullopt;
}

std::vector<std::pair<std::string, std::string>> PipeWriter::OwnVariables(
    const Environment& ours) const {
  // Set by the shells themselves.
  static constexpr std::array<std::string_view, 6> kShells = {"_",     "PWD",   "OLDPWD",
                                                              "SHLVL", "LINES", "COLUMNS"};
  std::vector<std::pair<std::string, std::string>> own;
  for (const auto& variable : environment)
    if (!IsOneOf(variable.first, kShells) && ours(variable.first) != variable.second)
      own.push_back(variable);
  return own;
}

PipeWriterWatch::PipeWriterWatch(int descriptor, int shell, Filter is_command)
    : pipe_(LinkOf(getpid(), descriptor)), shell_(shell), is_command_(std::move(is_command)) {
  if (!IsPipe(pipe_)) pipe_.clear();
}

void PipeWriterWatch::Look() {
  if (pipe_.empty()) return;
  const auto now = std::chrono::steady_clock::now();
  if (looks_ >= kEagerLooks && now < next_look_) return;
  ++looks_;
  next_look_ = now + kPause;
  LookNow();
}

void PipeWriterWatch::LookNow() {
  int above = shell_;
  std::string pipe = pipe_;
  for (int depth = 0; depth < kMaxDepth; ++depth) {
    const int pid = WriterBelow(above, pipe);
    if (pid == 0 || pid == last_pid_) return;
    const std::vector<std::string> arguments = ArgumentsOf(pid);
    if (arguments.empty()) return;
    if (IsCopier(arguments[0])) {
      pipe = LinkOf(pid, STDIN_FILENO);
      if (!IsPipe(pipe)) return;
    } else if (IsWrapper(arguments[0]) || IsSubshell(arguments, shell_)) {
      above = pid;
    } else {
      PipeWriter found;
      for (std::string& entry : SplitAtNul(RootFiles("").Read(FolderOfProcess(pid) + "/environ"))) {
        const size_t equals = entry.find('=');
        if (equals != std::string::npos)
          found.environment.emplace_back(entry.substr(0, equals), entry.substr(equals + 1));
      }
      found.arguments = Typed(arguments, found);
      last_pid_ = pid;
      const bool is_known = std::any_of(
          seen_.begin(), seen_.end(),
          [&found](const PipeWriter& writer) { return writer.arguments == found.arguments; });
      if (!is_known && is_command_(found.arguments)) seen_.push_back(std::move(found));
      return;
    }
  }
}

std::optional<PipeWriter> PipeWriterWatch::Writer() const {
  if (seen_.size() != 1) return std::nullopt;
  return seen_.front();
}

}  // namespace cudadoctor

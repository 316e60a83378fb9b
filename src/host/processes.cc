#include "host/processes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <system_error>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/read_all.h"
#include "base/views.h"

namespace cudadoctor {
namespace {

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return ReadAll(file);
}

// Of /proc/PID/stat, the fields after the name, which may itself hold blanks and parentheses.
bool ReadStat(const std::string& folder, Process& process) {
  const std::string stat = ReadFile(folder + "/stat");
  const size_t open = stat.find('(');
  const size_t close = stat.rfind(')');
  if (open == std::string::npos || close == std::string::npos || close + 2 >= stat.size())
    return false;
  process.name = stat.substr(open + 1, close - open - 1);
  const std::vector<std::string> fields =
      absl::StrSplit(stat.substr(close + 2), ' ', absl::SkipWhitespace());
  // proc(5) numbers the state as field 3.
  constexpr size_t kParent = 4 - 3, kGroup = 5 - 3, kSession = 6 - 3, kStart = 22 - 3;
  return fields.size() > kStart && absl::SimpleAtoi(fields[kParent], &process.parent) &&
         absl::SimpleAtoi(fields[kGroup], &process.group) &&
         absl::SimpleAtoi(fields[kSession], &process.session) &&
         absl::SimpleAtoi(fields[kStart], &process.start_ticks);
}

void ReadStatus(const std::string& folder, Process& process) {
  const std::string status = ReadFile(folder + "/status");
  for (const absl::string_view line : absl::StrSplit(status, '\n')) {
    const std::vector<absl::string_view> words =
        absl::StrSplit(line, absl::ByAnyChar("\t "), absl::SkipEmpty());
    if (words.size() < 2) continue;
    int64_t number = 0;
    if (!absl::SimpleAtoi(words[1], &number)) continue;
    if (words[0] == "Uid:") process.user = static_cast<uint32_t>(number);
    if (words[0] == "VmRSS:") process.resident_bytes = number * 1024;
    if (words[0] == "VmHWM:") process.peak_bytes = number * 1024;
  }
}

}  // namespace

std::vector<Process> ListProcesses(const std::string& root) {
  std::vector<Process> processes;
  std::error_code error;
  std::filesystem::directory_iterator entries(root + "/proc", error);
  if (error) return processes;
  for (const auto end = std::filesystem::directory_iterator(); entries != end;
       entries.increment(error)) {
    if (error) break;
    const std::string name = entries->path().filename().string();
    Process process;
    if (name.empty() || !absl::ascii_isdigit(static_cast<unsigned char>(name.front())) ||
        !absl::SimpleAtoi(name, &process.pid))
      continue;
    const std::string folder = entries->path().string();
    if (!ReadStat(folder, process)) continue;
    ReadStatus(folder, process);
    std::string command_line = ReadFile(folder + "/cmdline");
    if (!command_line.empty() && command_line.back() == '\0') command_line.pop_back();
    if (!command_line.empty()) process.arguments = absl::StrSplit(command_line, '\0');
    processes.push_back(std::move(process));
  }
  std::sort(processes.begin(), processes.end(),
            [](const Process& a, const Process& b) { return a.pid < b.pid; });
  return processes;
}

std::vector<Process> DescendantsOf(int ancestor, const std::vector<Process>& all) {
  std::set<int> family = {ancestor};
  // A pid may be larger than that of its child's, so one pass is not enough.
  for (bool grows = true; grows;) {
    grows = false;
    for (const Process& process : all)
      if (family.contains(process.parent) && family.insert(process.pid).second) grows = true;
  }
  std::vector<Process> descendants;
  for (const Process& process : all)
    if (process.pid != ancestor && family.contains(process.pid)) descendants.push_back(process);
  return descendants;
}

bool IsCompiler(std::string_view name) {
  constexpr std::array<std::string_view, 19> kNames = {
      "nvcc", "cicc", "ptxas",    "cudafe++", "fatbinary", "nvlink", "cc1plus",
      "cc1",  "lto1", "collect2", "as",       "ld",        "g++",    "c++",
      "cc",   "gcc",  "clang",    "hipcc",    "rustc"};
  if (std::find(kNames.begin(), kNames.end(), name) != kNames.end()) return true;
  // With a version or a target: g++-13, clang-18, x86_64-linux-gnu-g++ (cut to 15 bytes), ld.gold.
  return name.starts_with("g++-") || name.starts_with("gcc-") || name.starts_with("clang-") ||
         name.starts_with("clang++") || name.starts_with("ld.") ||
         name.starts_with("x86_64-linux-g") || name.starts_with("aarch64-linux-g");
}

}  // namespace cudadoctor

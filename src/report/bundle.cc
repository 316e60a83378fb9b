#include "report/bundle.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/views.h"
#include "report/names.h"
#include "report/quote.h"
#include "report/renderer.h"

namespace cudadoctor {
namespace {

// What each part may take at most, so that the later ones have their share of kMaxBundleBytes.
constexpr size_t kHeadBytes = 1300;
constexpr size_t kCommandBytes = 500;
constexpr size_t kFactBytes = 900;
constexpr size_t kMaxCauses = 4;
constexpr size_t kMaxCommands = 3;
constexpr size_t kMaxValues = 3;  // of one fact
constexpr size_t kMaxDeciding = 5;
constexpr size_t kLongestTitle = 240;
constexpr size_t kLongestValue = 70;
constexpr size_t kLongestLine = 300;
constexpr size_t kLongestNeighbour = 160;

// The facts that someone who helps asks for, in the order of the table, with the words shown.
struct Shown {
  std::string_view fact;
  std::string_view label;
};
constexpr std::array<Shown, 34> kShown = {{
    {"python_version", "Python"},
    {"torch_version", "torch"},
    {"torch_cuda", "torch's CUDA"},
    {"toolkit_cuda", "nvcc"},
    {"toolkit_path", "toolkit"},
    {"gcc_version", "gcc"},
    {"clang_version", "clang"},
    {"gpu_name", "GPU"},
    {"gpu_capability", "capability"},
    {"driver_version", "driver"},
    {"no_gpu", "no GPU"},
    {"pip_version", "pip"},
    {"uv_version", "uv"},
    {"tool", "tool"},
    {"os", "OS"},
    {"distro", "distribution"},
    {"distro_version", "release"},
    {"machine", "machine"},
    {"glibc_version", "glibc"},
    {"cmake_version", "CMake"},
    {"ninja_version", "ninja"},
    {"arch_list", "arch list"},
    {"max_jobs", "MAX_JOBS"},
    {"nvcc_threads", "NVCC_THREADS"},
    {"cpu_count", "processors"},
    {"memory_free", "GiB free"},
    {"memory_limit", "GiB limit"},
    {"docker", "docker"},
    {"wsl", "WSL"},
    {"slurm", "Slurm"},
    {"conda_env", "conda"},
    {"rocm", "ROCm"},
    {"jetson", "Jetson"},
    {"ci", "CI"},
}};

// A code span, in which nothing is active. Its own mark cannot stand inside.
std::string CodeSpan(std::string_view text, size_t bytes) {
  std::string inside = CutBytes(OneLine(text), bytes);
  std::replace(inside.begin(), inside.end(), '`', '\'');
  return inside.empty() ? "" : absl::StrCat("`", inside, "`");
}

// A block of code. No line of it may consist of backticks, which would end it: each begins with
// something of ours.
std::string Block(const std::vector<std::string>& lines) {
  return lines.empty() ? "" : absl::StrCat("```text\n", absl::StrJoin(lines, "\n"), "\n```\n");
}

constexpr size_t kBlockBytes = 13;  // of the two fences

// Takes lines as long as there is room.
class Budget {
 public:
  explicit Budget(size_t bytes) : left_(bytes) {}

  bool Take(size_t bytes) {
    if (bytes > left_) return false;
    left_ -= bytes;
    return true;
  }
  bool TakeLine(std::string line, std::vector<std::string>& lines) {
    if (!Take(line.size() + 1)) return false;
    lines.push_back(std::move(line));
    return true;
  }

 private:
  size_t left_;
};

std::string Head(const Report& report) {
  const std::vector<Diagnosis>& diagnoses = report.diagnoses;
  std::vector<std::string> lines;
  Budget budget(kHeadBytes);
  if (diagnoses.empty()) {
    budget.TakeLine(NoDiagnosis(report), lines);
  } else {
    budget.TakeLine(
        absl::StrCat("**", CodeSpan(Headline(report, diagnoses.front()), kLongestTitle), "**\n"),
        lines);
  }
  for (size_t i = 0; i < diagnoses.size() && i < kMaxCauses; ++i) {
    const Diagnosis& diagnosis = diagnoses[i];
    std::string line = absl::StrCat("- ", Name(diagnosis.role), ", ");
    absl::StrAppend(&line,
                    diagnosis.cause == "unknown"
                        ? "unknown"
                        : absl::StrCat(Name(diagnosis.confidence), ", ",
                                       CodeSpan(diagnosis.cause, kLongestValue)),
                    ": ", CodeSpan(diagnosis.title, kLongestTitle));
    budget.TakeLine(std::move(line), lines);
    if (diagnosis.role != Role::kRoot || diagnosis.remedies.empty()) continue;
    budget.TakeLine(
        absl::StrCat("  - proposed: ", CodeSpan(diagnosis.remedies.front().title, kLongestTitle)),
        lines);
  }
  std::string about =
      absl::StrCat("\ncudadoctor ", Absl(kVersion), "; log of ", report.input.lines, " lines");
  if (!report.input.limits.empty())
    absl::StrAppend(&about, ", ", absl::StrJoin(report.input.limits, ", "));
  lines.push_back(about);
  return absl::StrJoin(lines, "\n") + "\n";
}

// The commands that the log shows, the last ones: what failed, and what was tried before.
std::string Commands(const Report& report) {
  std::vector<std::string> seen;
  for (const Fact& fact : report.facts) {
    if (fact.name != "command") continue;
    seen.erase(std::remove(seen.begin(), seen.end(), fact.value), seen.end());
    seen.push_back(fact.value);
  }
  std::vector<std::string> lines;
  Budget budget(kCommandBytes - kBlockBytes);
  for (size_t i = seen.size() - std::min(seen.size(), kMaxCommands); i < seen.size(); ++i)
    budget.TakeLine(absl::StrCat("$ ", CutBytes(OneLine(seen[i]), kLongestLine)), lines);
  return Block(lines);
}

std::string Facts(const Report& report) {
  std::vector<std::string> lines;
  Budget budget(kFactBytes - kBlockBytes);
  for (const Shown& shown : kShown) {
    std::vector<std::string> values;
    std::set<std::string> seen;
    for (const Fact& fact : report.facts) {
      if (fact.name != shown.fact || values.size() == kMaxValues) continue;
      // 3.11 beside 3.11.7 says nothing.
      const bool is_said = std::any_of(seen.begin(), seen.end(), [&fact](const std::string& known) {
        return absl::StartsWith(known, fact.value);
      });
      if (is_said) continue;
      seen.insert(fact.value);
      std::string value = CutBytes(OneLine(fact.value), kLongestValue);
      if (fact.origin == Origin::kHost) value += " (host)";
      values.push_back(std::move(value));
    }
    if (values.empty()) continue;
    std::string label(shown.label);
    label.resize(std::max<size_t>(label.size(), 12), ' ');
    budget.TakeLine(absl::StrCat(label, "  ", absl::StrJoin(values, ", ")), lines);
  }
  return Block(lines);
}

// How far from a deciding line a neighbour may be.
constexpr int kFarthest = 16;

// Lines of the log, chosen as long as there is room and put back into order.
class LogLines {
 public:
  LogLines(const Report& report, size_t bytes) : budget_(bytes) {
    for (const Excerpt& excerpt : report.excerpts) {
      for (size_t i = 0; i < excerpt.lines.size(); ++i)
        all_[excerpt.first_line + static_cast<int>(i)] = excerpt.lines[i];
    }
  }

  void TakeDeciding(const Evidence& evidence) {
    if (Take(evidence.line, "> ", evidence.text, kLongestLine)) deciding_.push_back(evidence.line);
  }

  // The neighbours of every deciding line, the nearest first.
  void TakeNeighbours() {
    for (int distance = 1; !is_full_ && distance < kFarthest; ++distance) {
      for (const int64_t line : deciding_) {
        for (const int64_t neighbour : {line - distance, line + distance}) {
          const auto found = all_.find(neighbour);
          if (found != all_.end() && !found->second.empty() && !is_full_)
            Take(neighbour, "  ", found->second, kLongestNeighbour);
        }
      }
    }
  }

  std::string Render() const {
    std::vector<std::string> lines;
    for (const auto& [number, text] : taken_) lines.push_back(text);
    return Block(lines);
  }

 private:
  bool Take(int64_t number, std::string_view mark, std::string_view text, size_t longest) {
    if (taken_.contains(number)) return false;
    std::string line = absl::StrCat(Absl(mark), number, " | ", CutBytes(OneLine(text), longest));
    is_full_ = !budget_.Take(line.size() + 1);
    if (!is_full_) taken_.emplace(number, std::move(line));
    return !is_full_;
  }

  Budget budget_;
  std::map<int, std::string> all_;
  std::map<int, std::string> taken_;
  std::vector<int64_t> deciding_;
  bool is_full_ = false;
};

}  // namespace

std::string RenderBundle(const Report& report) {
  std::string text = Head(report);
  for (const auto& [title, part] :
       {std::pair("Commands", Commands(report)), std::pair("Versions", Facts(report))}) {
    if (!part.empty()) absl::StrAppend(&text, "\n", title, "\n", part);
  }
  constexpr std::string_view kTitle = "\nLog, the deciding lines marked\n";
  const size_t used = text.size() + kTitle.size() + kBlockBytes;
  LogLines lines(report, kMaxBundleBytes - std::min(used, kMaxBundleBytes));
  size_t deciding = 0;
  for (const Diagnosis& diagnosis : report.diagnoses) {
    for (const Evidence& evidence : diagnosis.evidence) {
      if (deciding++ < kMaxDeciding) lines.TakeDeciding(evidence);
    }
  }
  lines.TakeNeighbours();
  if (const std::string block = lines.Render(); !block.empty())
    absl::StrAppend(&text, Absl(kTitle), block);
  return text;
}

}  // namespace cudadoctor

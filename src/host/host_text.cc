#include "host/host_text.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/views.h"

namespace cudadoctor {
namespace {

constexpr size_t kGroupWidth = 8;
constexpr size_t kLabelWidth = 15;
constexpr size_t kMaxValueWidth = 32;

struct Row {
  std::string_view group;
  std::string_view fact;
  std::string_view label;        // empty: another row shows it or implies it
  std::string_view absent = "";  // what is said when there is no such fact
  std::string_view says = "";    // what is said instead of a flag's "yes"
  bool is_list = false;          // values share a line instead of having one each
};

// In the order of the text.
constexpr std::array<Row, 69> kRows = {{
    {"system", "distro_name", "distribution"},
    {"system", "distro", "known as"},
    {"system", "distro_version", "version"},
    {"system", "os", ""},
    {"system", "machine", "processor"},
    {"system", "kernel_version", "kernel"},
    {"system", "glibc_version", "glibc"},
    {"system", "package_manager", "packages", "no package manager found"},
    {"system", "cuda_repo", "NVIDIA's repo", "NVIDIA's package repository is not configured"},
    {"system", "cuda_repo_arch", ""},
    {"system", "no_cuda_repo", ""},
    {"system", "apt_lists_missing", "package lists", "", "missing"},
    {"system", "cuda_local_repo", "local repo"},
    {"system", "container", "container"},
    {"system", "root_user", ""},
    {"system", "no_library_path", ""},
    {"system", "own_root_certificate", ""},
    {"system", "no_sudo", "sudo", "", "not installed"},
    {"system", "shell", "shell"},
    {"system", "wsl", "WSL"},
    {"system", "jetson", "Jetson"},
    {"system", "slurm", "Slurm"},
    {"GPU", "driver_version", "driver", "no NVIDIA driver found"},
    {"GPU", "gpu_name", "name"},
    {"GPU", "gpu_capability", "capability"},
    {"GPU", "gpu_memory_total", "memory"},
    {"GPU", "no_gpu", "GPUs", "", "none visible"},
    {"GPU", "nvidia_smi_says", "nvidia-smi"},
    {"GPU", "cuda_visible_devices", "visible"},
    {"CUDA", "toolkit_cuda", "nvcc in use", "no nvcc found"},
    {"CUDA", "toolkit_path", "its folder"},
    {"CUDA", "cuda_home_without_nvcc", "lacks nvcc"},
    {"CUDA", "installed_toolkit", "installed", "no complete CUDA toolkit found"},
    {"CUDA", "toolkit_without_nvcc", "without nvcc"},
    {"CUDA", "toolkit_without_headers", "no headers"},
    {"build", "gcc_version", "host gcc"},
    {"build", "clang_version", "host clang"},
    {"build", "compiler_path", "its path", "no C++ compiler found"},
    {"build", "installed_gcc", "gcc"},
    {"build", "installed_clang", "clang"},
    {"build", "cmake_path", "cmake"},
    {"build", "ninja_path", "ninja"},
    {"build", "ccache_path", "ccache"},
    {"build", "arch_list", "architectures"},
    {"build", "max_jobs", "jobs"},
    {"build", "nvcc_threads", "nvcc threads"},
    {"build", "leftover_processes", "leftovers"},
    {"build", "leftover_pids", ""},
    {"build", "leftover_memory", "they hold"},
    {"Python", "python_version", "version", "no Python found"},
    {"Python", "python_path", "interpreter"},
    {"Python", "python_env", "environment"},
    {"Python", "python_env_kind", "kind"},
    {"Python", "conda_env", ""},
    {"Python", "tool", "made by"},
    {"Python", "externally_managed", "pip", "", "refuses to install here"},
    {"Python", "torch_version", "torch", "torch is not installed"},
    {"Python", "torch_cuda", "its CUDA"},
    {"Python", "torch_archs", "compiled for"},
    {"Python", "rocm", "ROCm"},
    {"Python", "conda_build", "conda build"},
    {"Python", "installed_module", "installed", "", "", true},
    {"memory", "memory_total", "in all"},
    {"memory", "memory_limit", "limit"},
    {"memory", "memory_free", "free"},
    {"memory", "cpu_count", "cores to use"},
    {"memory", "cpu_total", "cores in all"},
    {"memory", "disk_free", "free disk"},
    {"", "unanswered", "no answer"},
}};

size_t Columns(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// Appends `word` in a column, with at least one blank after it.
void Pad(std::string& text, std::string_view word, size_t width) {
  absl::StrAppend(&text, Absl(word));
  const size_t columns = Columns(word);
  text.append(columns < width ? width - columns : 1, ' ');
}

std::string Shown(const Row& row, const Fact& fact) {
  if (!row.says.empty()) return std::string(row.says);
  return fact.type == ValueType::kSize ? fact.value + " GiB" : fact.value;
}

struct Line {
  std::string value;
  std::string at;
};

void Join(std::string& text, std::string_view more) {
  absl::StrAppend(&text, text.empty() ? "" : ", ", Absl(more));
}

// The facts of `row`: those with one value, or all of a list, in one line.
std::vector<Line> LinesOf(const Row& row, std::span<const Fact> facts) {
  std::vector<Line> lines;
  for (const Fact& fact : facts) {
    if (fact.name != row.fact) continue;
    const std::string value = Shown(row, fact);
    const auto same = std::find_if(lines.begin(), lines.end(), [&](const Line& line) {
      return row.is_list ? line.at == fact.at : line.value == value;
    });
    if (same == lines.end()) {
      lines.push_back({value, fact.at});
    } else if (row.is_list) {
      Join(same->value, value);
    } else {
      Join(same->at, fact.at);
    }
  }
  return lines;
}

class HostText {
 public:
  std::string Render(std::span<const Fact> facts) {
    std::vector<Row> rows(kRows.begin(), kRows.end());
    for (const Fact& fact : facts) {
      const auto is_of = [&fact](const Row& row) { return row.fact == fact.name; };
      if (std::none_of(rows.begin(), rows.end(), is_of))
        rows.push_back({"more", fact.name, fact.name});
    }
    std::vector<std::vector<Line>> lines;
    for (const Row& row : rows) {
      lines.push_back(LinesOf(row, facts));
      if (row.label.empty()) continue;
      for (const Line& line : lines.back())
        width_ = std::max(width_, std::min(Columns(line.value), kMaxValueWidth));
    }
    for (size_t i = 0; i < rows.size(); ++i) {
      if (lines[i].empty() && !rows[i].absent.empty()) AddAbsence(rows[i]);
      if (!rows[i].label.empty()) AddLines(rows[i], lines[i]);
    }
    return std::move(text_);
  }

 private:
  void AddGroup(std::string_view group) {
    Pad(text_, group == group_ ? "" : group, kGroupWidth);
    group_ = group;
  }

  void AddAbsence(const Row& row) {
    AddGroup(row.group);
    absl::StrAppend(&text_, Absl(row.absent), "\n");
  }

  void AddLines(const Row& row, const std::vector<Line>& lines) {
    for (const Line& line : lines) {
      AddGroup(row.group);
      Pad(text_, &line == &lines.front() ? row.label : "", kLabelWidth);
      if (line.at.empty()) {
        absl::StrAppend(&text_, line.value, "\n");
      } else {
        Pad(text_, line.value, width_ + 1);
        absl::StrAppend(&text_, " ", line.at, "\n");
      }
    }
  }

  std::string text_;
  std::string_view group_;
  size_t width_ = 0;
};

}  // namespace

std::string RenderHostText(std::span<const Fact> facts) { return HostText().Render(facts); }

}  // namespace cudadoctor

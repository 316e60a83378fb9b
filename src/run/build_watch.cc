#include "run/build_watch.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace cudadoctor {
namespace {

bool IsNinja(std::string_view name) {
  return name == "ninja" || name == "ninja-build" || name == "samu";
}

// gcc's and clang's drivers and nvcc are given -c for an object; cc1 and cc1plus are seen on top
// where the driver has a name of its own (c++, a wrapper).
bool MakesObject(const Process& job) {
  constexpr std::array<std::string_view, 4> kAlways = {"cc1plus", "cc1", "cicc", "rustc"};
  return std::find(kAlways.begin(), kAlways.end(), job.name) != kAlways.end() ||
         std::find(job.arguments.begin(), job.arguments.end(), "-c") != job.arguments.end();
}

}  // namespace

BuildWatch::BuildWatch(std::string root, int64_t started)
    : root_(std::move(root)), started_(started) {}

void BuildWatch::Sample(int command, std::chrono::steady_clock::time_point now) {
  const std::vector<Process> all = ListProcesses(root_);
  children_.clear();
  walked_.clear();
  const Process* top = nullptr;
  for (const Process& process : all) {
    children_.emplace(process.parent, &process);
    if (process.pid == command) top = &process;
  }
  stats_.live_compilers = 0;
  live_compiles_ = 0;
  stats_.compiler_bytes = 0;
  stats_.objects_built = 0;
  stats_.objects_total = 0;
  stats_.is_total_floor = false;
  stats_.objects_time = std::chrono::seconds(0);
  if (top == nullptr) return;
  Walk(*top, nullptr, nullptr);
  for (const Process& process : all)
    if (walked_.contains(process.pid) && IsNinja(process.name)) AddNinja(process, now);
  stats_.compiles_done = stats_.compiles_seen - live_compiles_;
  stats_.jobs_at_once = std::max(stats_.jobs_at_once, stats_.live_compilers);
  stats_.peak_bytes = std::max(stats_.peak_bytes, stats_.compiler_bytes);
  stats_.is_one_at_a_time = is_python_their_parent_ && ninjas_.empty() &&
                            stats_.jobs_at_once == 1 && stats_.compiles_seen > 1;
}

void BuildWatch::Walk(const Process& process, const Process* parent, Process* job) {
  if (!walked_.insert(process.pid).second) return;
  std::optional<Process> own;
  if (job == nullptr && IsCompiler(process.name)) {
    own = process;
    own->resident_bytes = 0;
    job = &*own;
    CountJob(process, parent);
  }
  if (job != nullptr) {
    job->resident_bytes += process.resident_bytes;
    // What one process once took is measured by the kernel, whenever the samples are taken.
    job->peak_bytes = std::max(job->peak_bytes, process.peak_bytes);
  }
  const auto [begin, end] = children_.equal_range(process.pid);
  for (auto child = begin; child != end; ++child) Walk(*child->second, &process, job);
  if (!own.has_value()) return;
  ++stats_.live_compilers;
  if (MakesObject(*own)) ++live_compiles_;
  stats_.compiler_bytes += own->resident_bytes;
  stats_.job_peak_bytes = std::max({stats_.job_peak_bytes, own->resident_bytes, own->peak_bytes});
}

void BuildWatch::CountJob(const Process& job, const Process* parent) {
  if (!jobs_.emplace(job.pid, job.start_ticks).second) return;
  ++stats_.jobs_seen;
  if (MakesObject(job)) ++stats_.compiles_seen;
  if (parent == nullptr || !parent->name.starts_with("python")) is_python_their_parent_ = false;
}

void BuildWatch::AddNinja(const Process& ninja, std::chrono::steady_clock::time_point now) {
  const Identity identity(ninja.pid, ninja.start_ticks);
  auto found = ninjas_.find(identity);
  if (found == ninjas_.end()) {
    std::error_code error;
    const std::filesystem::path folder =
        std::filesystem::read_symlink(absl::StrCat(root_, "/proc/", ninja.pid, "/cwd"), error);
    if (error || ninja.arguments.empty()) return;
    NinjaProgress progress(root_ + folder.string(), ParseNinjaCall(ninja.arguments), started_);
    found = ninjas_.emplace(identity, NinjaRun{std::move(progress), now}).first;
  }
  NinjaRun& run = found->second;
  run.progress.Update();
  stats_.objects_built += run.progress.built();
  stats_.objects_total += run.progress.total();
  stats_.is_total_floor = stats_.is_total_floor || run.progress.has_earlier();
  stats_.objects_time = std::max(
      stats_.objects_time, std::chrono::duration_cast<std::chrono::seconds>(now - run.first_seen));
}

std::vector<Fact> MeasuredFacts(const BuildStats& stats) {
  std::vector<Fact> facts;
  const auto add = [&facts](const char* name, ValueType type, const std::string& raw) {
    std::optional<std::string> value = Normalize(type, raw);
    if (value.has_value() && *value != "0.0")
      facts.push_back({name, type, *std::move(value), Origin::kHost, 0, 0});
  };
  if (stats.jobs_seen == 0) return facts;
  add("job_memory_seen", ValueType::kSize, absl::StrCat(stats.job_peak_bytes));
  add("memory_peak", ValueType::kSize, absl::StrCat(stats.peak_bytes));
  add("jobs_seen", ValueType::kInteger, absl::StrCat(stats.jobs_at_once));
  return facts;
}

}  // namespace cudadoctor

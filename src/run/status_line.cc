#include "run/status_line.h"

#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace cudadoctor {
namespace {

// Before so many objects, and such a part of all, an estimate is a guess: the first objects of an
// extension are often its small ones.
constexpr int kObjectsForEstimate = 5;
constexpr int kPartForEstimate = 10;  // a tenth

std::string Duration(std::chrono::seconds time) {
  const int64_t seconds = time.count();
  if (seconds < 60) return absl::StrCat(seconds, " s");
  const int64_t minutes = seconds / 60;
  if (minutes < 60) return absl::StrCat(minutes, " min");
  return absl::StrFormat("%d h %02d min", minutes / 60, minutes % 60);
}

std::string Objects(const BuildStats& stats) {
  if (stats.objects_total > 0) {
    return absl::StrCat(stats.objects_built, " of ", stats.is_total_floor ? "at least " : "",
                        stats.objects_total, " objects");
  }
  if (stats.compiles_done == 0) return "";
  return absl::StrCat("at least ", stats.compiles_done,
                      stats.compiles_done == 1 ? " object" : " objects");
}

std::string Compilers(const BuildStats& stats) {
  if (stats.live_compilers == 0) return "no compiler runs";
  return absl::StrFormat("%d %s %.1f GiB", stats.live_compilers,
                         stats.live_compilers == 1 ? "compiler" : "compilers",
                         static_cast<double>(stats.compiler_bytes) / (int64_t{1} << 30));
}

std::string TimeLeft(const BuildStats& stats) {
  const int built = stats.objects_built;
  const int left = stats.objects_total - built;
  if (stats.is_total_floor || left <= 0 || built < kObjectsForEstimate ||
      built * kPartForEstimate < stats.objects_total)
    return "";
  const std::chrono::seconds time(stats.objects_time.count() * left / built);
  if (time < std::chrono::minutes(1)) return "less than a minute left";
  return absl::StrCat("about ", Duration(time + std::chrono::seconds(30)), " left");
}

}  // namespace

std::string StatusLine(const BuildStats& stats, std::chrono::seconds elapsed, int width) {
  if (stats.jobs_seen == 0) return "";
  std::string line;
  const auto add = [&](const std::string& part) {
    if (part.empty()) return true;
    const std::string longer = absl::StrCat(line, line.empty() ? "cudadoctor: " : ", ", part);
    if (longer.size() >= static_cast<size_t>(width)) return false;
    line = longer;
    return true;
  };
  for (const std::string& part :
       {Objects(stats), Compilers(stats),
        std::string(stats.is_one_at_a_time ? "no ninja: one file at a time" : ""),
        Duration(elapsed), TimeLeft(stats)}) {
    if (!add(part)) break;
  }
  return line;
}

}  // namespace cudadoctor

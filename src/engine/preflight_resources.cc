#include <algorithm>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "engine/preflight_case.h"
#include "remedy/build_memory.h"

namespace cudadoctor {
namespace {

// nvcc writes hundreds of MB of intermediate files for each job (rule disk-full), beside the
// objects and the wheel.
constexpr double kLeastDiskGib = 1;

std::optional<double> Number(const std::string& text) {
  double number = 0;
  if (!absl::SimpleAtod(text, &number)) return std::nullopt;
  return number;
}

// What the build starts when nobody says how many: the package's own rule, else ninja's (2 jobs for
// one processor, 3 for two, else two more than processors; ninja's GuessParallelism).
std::optional<int> DefaultJobs(const PreflightCase& check) {
  const std::optional<double> cpus = Number(check.Get("cpu_count"));
  if (!cpus.has_value()) return std::nullopt;
  const PackageBuild& build = check.build();
  if (build.cpus_per_job == 0) return static_cast<int>(*cpus) + (*cpus <= 2 ? 1 : 2);
  // It counts the memory of the host, not the limit of the container.
  const std::optional<double> free = Number(check.Get("memory_free"));
  if (!free.has_value() || build.gib_per_job == 0) return std::nullopt;
  const int of_cpus = static_cast<int>(*cpus) / build.cpus_per_job;
  const int of_memory = static_cast<int>(*free) / build.gib_per_job;
  return std::max(1, std::min(of_cpus, of_memory));
}

absl::Status CheckMemory(PreflightCase& check) {
  const int architectures = 0;  // the package's default: nothing limits them yet
  const std::optional<JobsThatFit> fit = FitJobs(check.resolver(), architectures);
  if (!fit.has_value()) {
    const bool has_figure =
        check.resolver().knowledge().MemoryOfJob(check.build().name).has_value();
    if (!has_figure && check.is_known())
      check.AddUnchecked(absl::StrCat("how much memory a job of ", check.build().name,
                                      " needs is not known: memory not checked"));
    else if (has_figure)
      check.AddUnchecked("no fact tells the free memory: memory not checked");
    return absl::OkStatus();
  }
  const std::optional<double> asked = Number(check.Get("max_jobs"));
  const std::optional<int> jobs =
      asked.has_value() ? std::optional<int>(static_cast<int>(*asked)) : DefaultJobs(check);
  if (!jobs.has_value()) return absl::OkStatus();
  if (fit->is_enough && *jobs <= fit->jobs) return absl::OkStatus();
  const std::string who = asked.has_value() ? "MAX_JOBS" : "the build's own number";
  const std::string title =
      fit->is_enough ? absl::StrCat("out of memory is likely: ", *jobs, " jobs at once (", who,
                                    "), the memory is enough for ", fit->jobs)
                     : "out of memory is likely: the memory may not be enough for one job";
  return check.AddOfBuild({.cause = "build-out-of-memory",
                           .confidence = Confidence::kLikely,
                           .evidence = {EvidenceOf("memory_free", fit->why)},
                           .title = title});
}

absl::Status CheckDisk(PreflightCase& check) {
  for (const Fact* fact : check.All("disk_free")) {
    const std::optional<double> free = Number(fact->value);
    if (!free.has_value() || *free >= kLeastDiskGib) continue;
    Suspicion suspicion{.cause = "disk-full",
                        .confidence = Confidence::kLikely,
                        .evidence = {EvidenceOf(
                            "disk_free", absl::StrCat(fact->value, " GiB are free",
                                                      fact->at.empty() ? "" : " at ", fact->at))},
                        .title = "little space is left on the disk[[ of {path}]]"};
    if (std::optional<std::string> path = Normalize(ValueType::kPath, fact->at))
      suspicion.captures.push_back({"path", ValueType::kPath, *std::move(path)});
    return check.Add(std::move(suspicion));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckResources(PreflightCase& check) {
  if (check.way() == Way::kCompiled || check.way() == Way::kUnknown)
    RETURN_IF_ERROR(CheckMemory(check));
  return CheckDisk(check);
}

}  // namespace cudadoctor

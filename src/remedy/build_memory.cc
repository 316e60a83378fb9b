#include "remedy/build_memory.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace cudadoctor {
namespace {

std::optional<double> Number(const Resolver& resolver, std::string_view fact) {
  const std::optional<Resolver::Value> value = resolver.Get(fact);
  double number = 0;
  if (!value.has_value() || !absl::SimpleAtod(value->text, &number) || number <= 0)
    return std::nullopt;
  return number;
}

std::string Gib(double gib) {
  return gib >= 20 ? absl::StrFormat("%.0f GiB", gib) : absl::StrFormat("%.3g GiB", gib);
}

struct Amount {
  double gib = 0;
  std::string what;
};

// What the build may use: the limit of the container or the job binds, whatever is free outside.
std::optional<Amount> FreeMemory(const Resolver& resolver) {
  const std::optional<double> limit = Number(resolver, "memory_limit");
  const std::optional<double> free = Number(resolver, "memory_free");
  if (limit.has_value() && (!free.has_value() || *limit < *free)) return Amount{*limit, "limit"};
  if (free.has_value()) return Amount{*free, "free"};
  if (const std::optional<double> total = Number(resolver, "memory_total"))
    return Amount{*total, "in all, if nothing else runs"};
  return std::nullopt;
}

// How one job of a package compiles.
struct JobShape {
  int threads = 1;        // nvcc's --threads
  int architectures = 1;  // that are compiled for
  int compilers() const { return std::max(1, std::min(threads, architectures)); }
};

JobShape ShapeOfJob(const Resolver& resolver, const std::optional<JobMemory>& figure,
                    int architectures) {
  const JobMemory known = figure.value_or(JobMemory());
  return {static_cast<int>(Number(resolver, "nvcc_threads").value_or(known.default_nvcc_threads)),
          architectures > 0 ? architectures : known.default_architectures};
}

std::optional<Amount> MemoryOfOneJob(const Resolver& resolver, int architectures) {
  if (const std::optional<double> seen = Number(resolver, "job_memory_seen"))
    return Amount{*seen, "measured for a job of this build"};
  const std::optional<Resolver::Value> package = resolver.Get("package");
  const std::optional<JobMemory> figure =
      package.has_value() ? resolver.knowledge().MemoryOfJob(package->text) : std::nullopt;
  const JobShape shape = ShapeOfJob(resolver, figure, architectures);
  if (const std::optional<double> measured = Number(resolver, "job_memory")) {
    // The kernel's figure is that of one process; a job runs several device compilers at once.
    const std::optional<Resolver::Value> killed = resolver.Get("killed_program");
    const bool is_one_of_several =
        killed.has_value() && killed->text == "cicc" && shape.compilers() > 1;
    if (!is_one_of_several) return Amount{*measured, "measured for the compiler that was killed"};
    return Amount{*measured * shape.compilers(),
                  absl::StrCat("a job: ", shape.compilers(), " compilers at once of ",
                               Gib(*measured), ", as measured for the one that was killed")};
  }
  if (!figure.has_value()) return std::nullopt;
  return Amount{
      figure->base_gib + figure->gib_per_compiler * shape.compilers(),
      absl::StrCat("estimated for a job of ", package->text, " with ", shape.architectures,
                   shape.architectures == 1 ? " architecture" : " architectures", " and ",
                   shape.threads, shape.threads == 1 ? " nvcc thread" : " nvcc threads")};
}

// How many jobs ran at once when the memory did not suffice; 0 when nobody says.
int JobsTried(const Resolver& resolver) {
  for (const char* fact : {"jobs_seen", "max_jobs"}) {
    if (const std::optional<double> tried = Number(resolver, fact)) return static_cast<int>(*tried);
  }
  return 0;
}

}  // namespace

std::optional<JobsThatFit> FitJobs(const Resolver& resolver, int architectures) {
  const std::optional<Amount> memory = FreeMemory(resolver);
  const std::optional<Amount> job = MemoryOfOneJob(resolver, architectures);
  if (!memory.has_value() || !job.has_value()) return std::nullopt;
  const double fitting = std::floor(0.9 * memory->gib / job->gib);
  JobsThatFit result;
  result.jobs = static_cast<int>(std::clamp(fitting, 1.0, 1024.0));
  std::string cores;
  if (const std::optional<double> count = Number(resolver, "cpu_count");
      count.has_value() && result.jobs > *count) {
    result.jobs = static_cast<int>(*count);
    cores = absl::StrCat(", no more than the ", result.jobs, " cores");
  }
  result.why = absl::StrCat(result.jobs, " = 0.9 × ", Gib(memory->gib), " ", memory->what, " ÷ ",
                            Gib(job->gib), " ", job->what, cores);
  result.is_enough = fitting >= 1;
  if (!result.is_enough) absl::StrAppend(&result.why, "; even one may not fit");
  return result;
}

std::optional<JobsThatFit> FewerJobs(const Resolver& resolver, int architectures) {
  std::optional<JobsThatFit> result = FitJobs(resolver, architectures);
  const int tried = JobsTried(resolver);
  // What was tried in vain weighs more than an estimate.
  if (result.has_value() && tried > 1 && result->jobs >= tried) {
    result->jobs = tried / 2;
    result->why = absl::StrCat(result->jobs, " is half of the ", tried,
                               " jobs that were too many; an estimate allows ", result->why);
  }
  return result;
}

}  // namespace cudadoctor

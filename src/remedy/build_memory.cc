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

std::optional<Amount> MemoryOfOneJob(const Resolver& resolver, int architectures) {
  if (const std::optional<double> measured = Number(resolver, "job_memory")) {
    return Amount{*measured, "measured for the compiler that was killed"};
  }
  const std::optional<Resolver::Value> package = resolver.Get("package");
  if (!package.has_value()) return std::nullopt;
  const std::optional<JobMemory> figure = resolver.knowledge().MemoryOfJob(package->text);
  if (!figure.has_value()) return std::nullopt;
  const int threads =
      static_cast<int>(Number(resolver, "nvcc_threads").value_or(figure->default_nvcc_threads));
  const int compiled = architectures > 0 ? architectures : figure->default_architectures;
  const int compilers = std::max(1, std::min(threads, compiled));
  return Amount{figure->base_gib + figure->gib_per_compiler * compilers,
                absl::StrCat("estimated for a job of ", package->text, " with ", compiled,
                             compiled == 1 ? " architecture" : " architectures", " and ", threads,
                             threads == 1 ? " nvcc thread" : " nvcc threads")};
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
  if (fitting < 1) absl::StrAppend(&result.why, "; even one may not fit");
  return result;
}

}  // namespace cudadoctor

// remedy/build_memory.h: how many compile jobs fit into the memory.
#ifndef CUDADOCTOR_REMEDY_BUILD_MEMORY_H_
#define CUDADOCTOR_REMEDY_BUILD_MEMORY_H_

#include <optional>
#include <string>

#include "diagnose/resolver.h"

namespace cudadoctor {

struct JobsThatFit {
  int jobs = 1;
  bool is_enough = true;  // false: even one job may not fit
  std::string why;        // a sentence that shows the numbers
};

// floor(0.9 × free memory ÷ memory of one job), between 1 and the cores, where the facts tell the
// memory and either a measurement or the package's figure tells what a job needs. `architectures`
// is how many the remedy asks for; 0 keeps the package's default.
std::optional<JobsThatFit> FitJobs(const Resolver& resolver, int architectures);

// The same after the memory did not suffice: never as many jobs as were tried.
std::optional<JobsThatFit> FewerJobs(const Resolver& resolver, int architectures);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REMEDY_BUILD_MEMORY_H_

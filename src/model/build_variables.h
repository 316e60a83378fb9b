// model/build_variables.h: the variables that tell any build of a torch extension how to build.
#ifndef CUDADOCTOR_MODEL_BUILD_VARIABLES_H_
#define CUDADOCTOR_MODEL_BUILD_VARIABLES_H_

#include <vector>

#include "base/environment.h"
#include "model/fact.h"

namespace cudadoctor {

// max_jobs, nvcc_threads and arch_list as `environment` sets them (MAX_JOBS, NVCC_THREADS,
// TORCH_CUDA_ARCH_LIST), with origin host and the variable as their place. A value that does not
// fit is left out.
std::vector<Fact> FactsOfBuildVariables(const Environment& environment);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_MODEL_BUILD_VARIABLES_H_

// engine/same_machine.h: whether a log can be of a machine.
#ifndef CUDADOCTOR_ENGINE_SAME_MACHINE_H_
#define CUDADOCTOR_ENGINE_SAME_MACHINE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/fact.h"

namespace cudadoctor {

// What the facts of a log say otherwise than those of a machine, for example "gpu_name is NVIDIA
// H100, here NVIDIA L4"; nothing when no fact contradicts. Facts that only one side states prove
// nothing, but for a docker build, a Slurm job, WSL, Jetson and ROCm, which a machine shows when it
// has them.
std::optional<std::string> DifferenceOfMachines(const std::vector<Fact>& log,
                                                const std::vector<Fact>& host);

// `host` without what the log says otherwise: where it names another PyTorch, toolkit, GPU, Python
// or compiler than the host has, all that the host says about its own is left out.
// A PyTorch for ROCm is another than that of a log about CUDA; and where a log is of CMake, make or
// a compiler, the host's Python installer is not its tool,
// nor its PyTorch the one that is built for, unless the log names one.
std::vector<Fact> WithoutContradicted(const std::vector<Fact>& log, std::vector<Fact> host);

// Drops from `host` the fact and all that is said of the same thing: toolkit_path of toolkit_cuda.
void DropAllAbout(std::string_view fact, std::vector<Fact>& host);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_ENGINE_SAME_MACHINE_H_

#include "model/build_variables.h"

#include <array>
#include <optional>
#include <string>
#include <utility>

namespace cudadoctor {
namespace {

struct Variable {
  const char* name;
  const char* fact;
  ValueType type;
};

constexpr std::array<Variable, 3> kVariables = {{
    {"MAX_JOBS", "max_jobs", ValueType::kInteger},
    {"NVCC_THREADS", "nvcc_threads", ValueType::kInteger},
    {"TORCH_CUDA_ARCH_LIST", "arch_list", ValueType::kArchList},
}};

}  // namespace

std::vector<Fact> FactsOfBuildVariables(const Environment& environment) {
  std::vector<Fact> facts;
  for (const Variable& variable : kVariables) {
    const std::optional<std::string> raw = environment(variable.name);
    std::optional<std::string> value = raw.has_value() ? Normalize(variable.type, *raw) : raw;
    if (value.has_value())
      facts.push_back(
          {variable.fact, variable.type, *std::move(value), Origin::kHost, 0, 0, variable.name});
  }
  return facts;
}

}  // namespace cudadoctor

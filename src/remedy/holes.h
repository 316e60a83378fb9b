// remedy/holes.h: the values of holes at one finding.
#ifndef CUDADOCTOR_REMEDY_HOLES_H_
#define CUDADOCTOR_REMEDY_HOLES_H_

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/resolver.h"
#include "remedy/template.h"

namespace cudadoctor {

// Names of the holes that no fact fills but this file.
inline constexpr std::array<std::string_view, 11> kBuiltInHoles = {
    "pip",      "sudo",    "package_spec", "jobs_variable", "arch_variable", "gpu_archs",
    "fit_jobs", "fit_why", "fewer_jobs",   "fewer_why",     "kept_archs"};

// Fills holes from facts, from the parameters of a shared remedy, and the built-in ones. Keeps a
// reference to `resolver`.
class Holes {
 public:
  explicit Holes(const Resolver& resolver) : resolver_(resolver) {}

  std::optional<HoleValue> Fill(std::string_view name) const;
  FillHole filler() const {
    return [this](std::string_view name) { return Fill(name); };
  }

  void SetParameter(const std::string& name, HoleValue value) {
    parameters_[name] = std::move(value);
  }
  const Resolver& resolver() const { return resolver_; }

 private:
  std::optional<HoleValue> BuiltIn(std::string_view name) const;
  std::optional<std::string> ArchVariable() const;
  std::vector<std::string> GpuCapabilities() const;
  std::string GpuArchs() const;
  // The architectures that were asked for without the one that was refused.
  std::optional<std::string> KeptArchs() const;

  const Resolver& resolver_;
  std::map<std::string, HoleValue, std::less<>> parameters_;
};

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REMEDY_HOLES_H_

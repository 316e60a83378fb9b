// remedy/apt.h: what an installation by apt needs first on this machine.
#ifndef CUDADOCTOR_REMEDY_APT_H_
#define CUDADOCTOR_REMEDY_APT_H_

#include <string>
#include <string_view>
#include <vector>

#include "diagnose/resolver.h"

namespace cudadoctor {

// The commands that have to come before `run` where it installs with apt-get on a machine whose
// facts say that something is missing: NVIDIA's repository for packages of it, and the package
// lists. Empty where nothing is, or is known to be, missing.
std::vector<std::string> AptPrerequisites(std::string_view run, const Resolver& resolver);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REMEDY_APT_H_

// host/package_sources.h: where the package manager gets packages from.
#ifndef CUDADOCTOR_HOST_PACKAGE_SOURCES_H_
#define CUDADOCTOR_HOST_PACKAGE_SOURCES_H_

#include "host/machine.h"

namespace cudadoctor {

// Adds cuda_repo ("ubuntu2404") and cuda_repo_arch ("x86_64") for NVIDIA's network repository when
// apt, dnf, yum or zypper has it switched on; cuda_local_repo for one that an installer left on
// this disk, which holds a single version.
void AddPackageSources(const Machine& machine, HostFacts& facts);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_HOST_PACKAGE_SOURCES_H_

// host/subjects.h: the parts of the probing, one a subject. Each reads, and takes milliseconds
// where nothing is stuck.
#ifndef CUDADOCTOR_HOST_SUBJECTS_H_
#define CUDADOCTOR_HOST_SUBJECTS_H_

#include <vector>

#include "host/machine.h"
#include "model/fact.h"

namespace cudadoctor {

// distro, distro_version, distro_name, package_manager, cuda_repo, cuda_repo_arch,
// cuda_local_repo, no_cuda_repo, apt_lists_missing, os, machine, kernel_version, glibc_version,
// wsl, jetson, container, slurm, no_library_path, root_user, no_sudo, shell,
// own_root_certificate.
std::vector<Fact> ProbeSystem(const Machine& machine);

// toolkit_cuda and toolkit_path of the nvcc that a build would take: that of CUDA_HOME, CUDA_PATH,
// PATH, /usr/local/cuda, in this order, as torch does. One installed_toolkit for each that is
// complete; toolkit_without_nvcc and toolkit_without_headers for those that are not, such as pip's
// nvidia packages; cuda_home_without_nvcc where CUDA_HOME misleads.
std::vector<Fact> ProbeToolkits(const Machine& machine);

// gpu_name, gpu_capability, gpu_memory_total of each GPU, driver_version, no_gpu;
// nvidia_smi_says where nvidia-smi fails or does not answer; cuda_visible_devices.
std::vector<Fact> ProbeGpus(const Machine& machine);

// gcc_version or clang_version of the host compiler that nvcc would take, compiler_path;
// installed_gcc and installed_clang for each other that has a version in its name; cmake_path,
// ninja_path, ccache_path.
std::vector<Fact> ProbeCompilers(const Machine& machine);

// memory_total, memory_free (what this process may still take, within every limit), memory_limit,
// cpu_count, cpu_total, disk_free (one a folder that builds write to).
std::vector<Fact> ProbeResources(const Machine& machine);

// python_env, python_env_kind, python_path, python_version, conda_env, externally_managed, tool,
// torch_version, torch_cuda, torch_archs, rocm, conda_build, installed_module (one a package that
// builds import), and what the environment sets for builds: arch_list, max_jobs, nvcc_threads.
std::vector<Fact> ProbePython(const Machine& machine);

// leftover_processes ("none" where there are none), leftover_pids, leftover_memory: compilers of
// this user whose build is gone.
std::vector<Fact> ProbeLeftovers(const Machine& machine);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_HOST_SUBJECTS_H_

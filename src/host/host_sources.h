// host/host_sources.h: where the probing looks, so that it can look at a recorded machine as well.
#ifndef CUDADOCTOR_HOST_HOST_SOURCES_H_
#define CUDADOCTOR_HOST_HOST_SOURCES_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "host/program.h"

namespace cudadoctor {

// Its functions are called from several threads at once.
struct HostSources {
  std::string root;  // the folder that stands for /, without a final slash; empty for / itself
  std::function<std::string(const std::string& name)> environment;  // empty when it is not set
  // Runs a program whose path is seen from the root, as RunProgram does.
  std::function<ProgramResult(const std::vector<std::string>&, std::chrono::milliseconds)> run;
  // Bytes that a user may still write below a folder that exists; nothing when nobody can say.
  std::function<std::optional<int64_t>(const std::string& folder)> free_bytes;
  std::string machine;         // as uname says: x86_64, aarch64
  std::string working_folder;  // absolute; empty when it is gone
  int cpus = 0;                // that this process may run on; 0 when nobody can say
  uint32_t user = 0;
  std::chrono::milliseconds limit{4000};  // for each subject of the probing
};

// This machine, as this process sees it.
HostSources LocalSources();

}  // namespace cudadoctor

#endif  // CUDADOCTOR_HOST_HOST_SOURCES_H_

// host/python_environment.h: the Python environment that an installation would go into.
#ifndef CUDADOCTOR_HOST_PYTHON_ENVIRONMENT_H_
#define CUDADOCTOR_HOST_PYTHON_ENVIRONMENT_H_

#include <map>
#include <string>
#include <vector>

#include "host/machine.h"

namespace cudadoctor {

struct PythonEnvironment {
  std::string kind;                  // venv, uv, conda or system; empty when there is no Python
  std::string prefix;                // its folder
  std::string chosen_by;             // VIRTUAL_ENV, CONDA_PREFIX, PATH, or the .venv found
  std::string python;                // path of the interpreter
  std::string version;               // 3.12 or 3.12.3
  std::vector<std::string> folders;  // site-packages, in the order of sys.path
};

// VIRTUAL_ENV, else CONDA_PREFIX, else uv's .venv of the working folder or one above it, else the
// python on PATH, with pyenv's choice behind its shim.
PythonEnvironment FindPythonEnvironment(const Machine& machine);

struct Distribution {
  std::string version;
  std::string folder;  // of site-packages, where it lies
};

// What is installed, by normalised name ("flash-attn").
std::map<std::string, Distribution> Distributions(const Machine& machine,
                                                  const PythonEnvironment& environment);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_HOST_PYTHON_ENVIRONMENT_H_

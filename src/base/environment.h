// base/environment.h: environment variables through a function, so that tests can give their own.
#ifndef CUDADOCTOR_BASE_ENVIRONMENT_H_
#define CUDADOCTOR_BASE_ENVIRONMENT_H_

#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace cudadoctor {

// The value of an environment variable; nothing when it is not set.
using Environment = std::function<std::optional<std::string>(std::string_view name)>;

// The environment of this process.
inline std::optional<std::string> ProcessEnvironment(std::string_view name) {
  const char* value = std::getenv(std::string(name).c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

}  // namespace cudadoctor

#endif  // CUDADOCTOR_BASE_ENVIRONMENT_H_

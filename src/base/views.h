// base/views.h: std::string_view and absl::string_view are two types in Debian 12's Abseil.
#ifndef CUDADOCTOR_BASE_VIEWS_H_
#define CUDADOCTOR_BASE_VIEWS_H_

#include <string_view>

#include "absl/strings/string_view.h"

namespace cudadoctor {

inline absl::string_view Absl(std::string_view text) { return {text.data(), text.size()}; }
inline std::string_view Std(absl::string_view text) { return {text.data(), text.size()}; }

}  // namespace cudadoctor

#endif  // CUDADOCTOR_BASE_VIEWS_H_

// engine/requirement.h: what people give to `pip install`.
#ifndef CUDADOCTOR_ENGINE_REQUIREMENT_H_
#define CUDADOCTOR_ENGINE_REQUIREMENT_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace cudadoctor {

struct Requirement {
  std::string text;     // as given, without blanks: "flash-attn==2.8.3"
  std::string package;  // in the normal form of ValueType::kPackage
  std::string version;  // of a single "==" without wildcard; otherwise empty
};

// Reads NAME, NAME[EXTRAS], NAME==VERSION, "NAME>=1,<2".
// Errors: kInvalidArgument, it is something else: a folder, a URL, an option.
absl::StatusOr<Requirement> ParseRequirement(std::string_view text);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_ENGINE_REQUIREMENT_H_

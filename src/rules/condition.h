// rules/condition.h: conditions as they are written in rule files.
#ifndef CUDADOCTOR_RULES_CONDITION_H_
#define CUDADOCTOR_RULES_CONDITION_H_

#include <cstddef>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "rules/rule.h"

namespace cudadoctor {

// Reads an expression, of which every one of the result must hold:
//
//   torch_cuda and not rocm                    a fact is known, or not
//   torch_cuda.major != toolkit_cuda.major     versions, whole or by .major or .minor
//   toolkit_cuda >= '11.8'                     a literal that begins with a digit is a version
//   tool == 'uv', tool != 'uv'                 another is text
//   tool in ['pip', 'uv'], tool not in ['1']   text
//   arch matches '^sm_'                        RE2, written as patterns are
//   toolkit_compiles(toolkit_cuda, arch) == 'no'   a look-up, of facts and words in quotes
//   (a or b) and not (c and d)
//
// Each is yes, no or unknown: a comparison is unknown where a fact is, or where a table does not
// tell; not, and, or keep that. A fact alone is yes or no, and so is known(…), which asks whether
// a condition is a sure yes.
//
// Errors: kInvalidArgument, "at \"…\": what is expected"; `at` is set to that place in `text`.
absl::StatusOr<std::vector<Condition>> ParseConditions(std::string_view text, size_t& at);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_RULES_CONDITION_H_

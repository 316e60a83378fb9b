// host/host_facts.h: what a machine has, as facts.
#ifndef CUDADOCTOR_HOST_HOST_FACTS_H_
#define CUDADOCTOR_HOST_HOST_FACTS_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "model/fact.h"

namespace cudadoctor {

// Reads {"schema": "cudadoctor.host/1", "facts": [{"name": "toolkit_cuda", "type": "version",
// "value": "12.8", "at": "/usr/local/cuda/bin/nvcc"}, …]}, where "at" may be missing; `origin`
// names the text in errors.
// Errors: kInvalidArgument, the text is no such document, or a value does not fit its type.
absl::StatusOr<std::vector<Fact>> ParseHostFacts(std::string_view text, std::string_view origin);

// `facts` as such a document, from which ParseHostFacts gives the same facts.
std::string HostFactsToJson(std::span<const Fact> facts);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_HOST_HOST_FACTS_H_

// json/json_fwd.h: the type of a JSON value, for headers that only name it; json.h takes a second
// to compile.
#ifndef CUDADOCTOR_JSON_JSON_FWD_H_
#define CUDADOCTOR_JSON_JSON_FWD_H_

#include "nlohmann/json_fwd.hpp"

namespace cudadoctor {

// Keeps the order of keys, for reports and for texts that people compare.
using Json = nlohmann::ordered_json;

}  // namespace cudadoctor

#endif  // CUDADOCTOR_JSON_JSON_FWD_H_

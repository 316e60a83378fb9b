// model/fact.h: what a log, or the machine, states.
#ifndef CUDADOCTOR_MODEL_FACT_H_
#define CUDADOCTOR_MODEL_FACT_H_

#include <cstdint>
#include <string>

#include "model/value.h"

namespace cudadoctor {

enum class Origin {
  kLog,
  kHost,
};

struct Fact {
  std::string name;
  ValueType type = ValueType::kText;
  std::string value;  // in the type's normal form
  Origin origin = Origin::kLog;
  int64_t line =
      0;         // 1-based raw line where it was first stated; 0 for a fact that is not of the log
  int unit = 0;  // id of the unit that states it; 0 for none
  std::string at = {};  // of a host's fact: the path or device that it is about; mostly empty
};

}  // namespace cudadoctor

#endif  // CUDADOCTOR_MODEL_FACT_H_

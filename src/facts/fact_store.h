// facts/fact_store.h: what the log states, each fact with its line and unit.
#ifndef CUDADOCTOR_FACTS_FACT_STORE_H_
#define CUDADOCTOR_FACTS_FACT_STORE_H_

#include <string_view>
#include <vector>

#include "model/fact.h"

namespace cudadoctor {

// Facts of a log and of the host. Two values of one fact are both kept. Not thread-safe.
class FactStore {
 public:
  // A fact that is stated again in the same unit with the same value keeps its first line. A host's
  // fact is another one at another place: two toolkits of one version.
  void Add(Fact fact);

  // The value to use at `line` of `unit`: of the unit's facts of this name the last one stated at
  // or before the line, else the first after it; then likewise of the other units'; then the
  // host's. nullptr when nobody states it.
  const Fact* Find(std::string_view name, int unit, int64_t line) const;

  // In the order in which they were added.
  const std::vector<Fact>& facts() const { return facts_; }

 private:
  std::vector<Fact> facts_;
};

}  // namespace cudadoctor

#endif  // CUDADOCTOR_FACTS_FACT_STORE_H_

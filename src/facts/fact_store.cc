#include "facts/fact_store.h"

#include <algorithm>
#include <utility>

namespace cudadoctor {

void FactStore::Add(Fact fact) {
  const auto same = [&](const Fact& known) {
    return known.name == fact.name && known.value == fact.value && known.unit == fact.unit &&
           known.origin == fact.origin && known.at == fact.at;
  };
  const auto known = std::find_if(facts_.begin(), facts_.end(), same);
  if (known == facts_.end()) {
    facts_.push_back(std::move(fact));
  } else {
    known->line = std::min(known->line, fact.line);
  }
}

const Fact* FactStore::Find(std::string_view name, int unit, int64_t line) const {
  const auto nearest = [&](auto belongs) {
    const Fact* before = nullptr;
    const Fact* after = nullptr;
    for (const Fact& fact : facts_) {
      if (fact.name != name || !belongs(fact)) continue;
      if (fact.line <= line) {
        if (before == nullptr || fact.line >= before->line) before = &fact;
      } else if (after == nullptr || fact.line < after->line) {
        after = &fact;
      }
    }
    return before != nullptr ? before : after;
  };
  if (const Fact* fact =
          nearest([&](const Fact& f) { return f.origin == Origin::kLog && f.unit == unit; }))
    return fact;
  if (const Fact* fact = nearest([](const Fact& f) { return f.origin == Origin::kLog; }))
    return fact;
  return nearest([](const Fact& f) { return f.origin == Origin::kHost; });
}

}  // namespace cudadoctor

// diagnose/resolver.h: the value of a fact at one place of a log, and conditions on it.
#ifndef CUDADOCTOR_DIAGNOSE_RESOLVER_H_
#define CUDADOCTOR_DIAGNOSE_RESOLVER_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "facts/fact_store.h"
#include "knowledge/knowledge.h"
#include "match/pattern.h"
#include "rules/rule.h"

namespace cudadoctor {

// Whether a condition holds. In this order, "and" is the least of its parts, "or" the greatest.
enum class Truth { kNo, kUnknown, kYes };

// Looks a fact up in the captures of the winning matches, then in the facts of the unit and of the
// other units, then derives it through a table from those, then asks the host, then derives it from
// the host's facts. Keeps references to all it is given.
class Resolver {
 public:
  Resolver(const FactStore& facts, const std::vector<DerivedFact>& derived,
           const Knowledge& knowledge)
      : facts_(facts), derived_(derived), knowledge_(knowledge) {}

  // A copy that looks from `line` of `unit`, where `captures` were made.
  Resolver At(int unit, int64_t line, std::vector<Capture> captures) const;

  // A copy to which `captures` are known, too, before all others.
  Resolver With(std::vector<Capture> captures) const;

  struct Value {
    ValueType type = ValueType::kText;
    std::string text;
  };
  std::optional<Value> Get(std::string_view fact) const;

  // All values that the host states of a fact, each once, sorted; empty when the fact's value here
  // is not one of them.
  std::vector<std::string> AllOfHost(std::string_view fact) const;

  // All values that the log, its command included, states of a fact, each once, in their order.
  std::vector<std::string> AllOfLog(std::string_view fact) const;

  // Whether all of `conditions` hold: unknown when none is known not to.
  Truth Decide(const std::vector<Condition>& conditions) const;

  // Whether all of `conditions` are known to hold.
  bool Holds(const std::vector<Condition>& conditions) const {
    return Decide(conditions) == Truth::kYes;
  }

  // Whether there is a look-up of this name, in the tables or in the facts of the host.
  static bool IsLookup(std::string_view name);

  const Knowledge& knowledge() const { return knowledge_; }

 private:
  enum class Scope { kLog, kLogAndHost };

  std::optional<Value> Derive(std::string_view fact, Scope scope, int depth) const;
  std::optional<Value> Get(std::string_view fact, Scope scope, int depth) const;
  std::optional<std::string> LookUp(const std::string& lookup,
                                    const std::vector<std::string>& arguments, Scope scope,
                                    int depth) const;
  Truth Decide(const Condition& condition) const;
  std::optional<std::string> InstalledToolkit(std::string_view version) const;
  std::optional<std::string> InstalledGcc(const std::vector<std::string>& values) const;
  std::optional<std::string> RoomyFolder(const std::vector<std::string>& values) const;

  const FactStore& facts_;
  const std::vector<DerivedFact>& derived_;
  const Knowledge& knowledge_;
  int unit_ = 0;
  int64_t line_ = 0;
  std::vector<Capture> captures_;
};

}  // namespace cudadoctor

#endif  // CUDADOCTOR_DIAGNOSE_RESOLVER_H_

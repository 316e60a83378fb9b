// diagnose/units.h: the pieces of work that a log holds.
#ifndef CUDADOCTOR_DIAGNOSE_UNITS_H_
#define CUDADOCTOR_DIAGNOSE_UNITS_H_

#include <string>
#include <vector>

#include "match/pattern.h"
#include "model/report.h"
#include "rules/rule_set.h"

namespace cudadoctor {

// Steps of a docker build or a CI job and commands at a prompt follow each other; what lies before
// the first is a unit of its own when something happens in it. BuildKit's steps run side by side,
// told apart by their number; the copy of a failing step's output at the end belongs to that step.
class UnitList {
 public:
  // `matches` are sorted by line. Keeps no reference.
  UnitList(const RuleSet& rules, const std::vector<Match>& matches, int64_t lines);

  // Id of the unit of a match.
  int UnitOf(const Match& match) const;

  std::vector<Unit>& units() { return units_; }
  const std::vector<Unit>& units() const { return units_; }

 private:
  struct Span {
    int64_t first_line = 0;
    int unit = 0;        // index into units_
    std::string stream;  // lines of this stream only; empty: all that have no span of their own
  };

  void Begin(const std::string& kind, const Match& match);

  std::vector<Unit> units_;
  std::vector<Span> spans_;  // sorted by first_line
};

}  // namespace cudadoctor

#endif  // CUDADOCTOR_DIAGNOSE_UNITS_H_

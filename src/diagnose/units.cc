#include "diagnose/units.h"

#include <algorithm>

#include "absl/strings/match.h"

namespace cudadoctor {
namespace {

// Kinds whose units follow each other; the others name a unit that has no name.
bool IsSequential(const std::string& kind) {
  return kind == "docker-step" || kind == "ci-step" || kind == "command";
}

std::string NameOf(const Match& match) {
  for (const Capture& capture : match.captures) {
    if (capture.type == ValueType::kText || capture.type == ValueType::kPackage ||
        capture.type == ValueType::kCommand || capture.type == ValueType::kWord) {
      return capture.value;
    }
  }
  return "";
}

}  // namespace

UnitList::UnitList(const RuleSet& rules, const std::vector<Match>& matches, int64_t lines) {
  units_.push_back({1, "command", "", lines > 0 ? 1 : 0, 0, Outcome::kUndetermined});
  spans_.push_back({0, 0, ""});
  std::string inner_kind;
  std::string inner_name;
  for (const Match& match : matches) {
    const PatternOwner& owner = rules.owners()[match.pattern];
    if (owner.role != PatternRole::kUnitBegin) continue;
    const std::string& kind = rules.files()[owner.file].unit_kind;
    if (IsSequential(kind)) {
      Begin(kind, match);
    } else if (inner_kind.empty()) {
      inner_kind = kind;
      inner_name = NameOf(match);
    }
  }
  if (units_.size() == 1 && !inner_kind.empty()) {
    units_[0].kind = inner_kind;
    units_[0].name = inner_name;
  }
  // A sequential unit ends where the next one begins.
  int64_t end = lines;
  for (auto span = spans_.rbegin(); span != spans_.rend(); ++span) {
    if (!span->stream.empty()) continue;
    units_[span->unit].last_line = std::max(units_[span->unit].last_line, end);
    end = span->first_line - 1;
  }
  for (const Match& match : matches) {
    Unit& unit = units_[UnitOf(match) - 1];
    unit.last_line = std::max(unit.last_line, match.last_line);
  }
}

void UnitList::Begin(const std::string& kind, const Match& match) {
  const std::string name = NameOf(match);
  const bool is_stream = absl::StartsWith(match.stream, "docker:");
  const auto same_step = [&](const Span& span) {
    return (is_stream && span.stream == match.stream) ||
           (kind == "docker-step" && !name.empty() && units_[span.unit].kind == kind &&
            units_[span.unit].name == name);
  };
  const auto known = std::find_if(spans_.begin() + 1, spans_.end(), same_step);
  if (known != spans_.end()) {
    if (!is_stream) spans_.push_back({match.first_line, known->unit, ""});
    return;
  }
  const int index = static_cast<int>(units_.size());
  units_.push_back(
      {index + 1, kind, name, match.first_line, match.last_line, Outcome::kUndetermined});
  spans_.push_back({match.first_line, index, is_stream ? match.stream : ""});
}

int UnitList::UnitOf(const Match& match) const {
  int unit = 0;
  for (const Span& span : spans_) {
    if (!span.stream.empty()) {
      if (span.stream == match.stream) return units_[span.unit].id;
    } else if (span.first_line <= match.first_line) {
      unit = span.unit;
    }
  }
  return units_[unit].id;
}

}  // namespace cudadoctor

#include "diagnose/resolver.h"

#include <algorithm>
#include <utility>

#include "match/regex.h"

namespace cudadoctor {
namespace {

// A fact may be derived from one that is derived itself, not deeper.
constexpr int kMaxDepth = 4;

bool Compares(int order, const std::string& op) {
  if (op == "<") return order < 0;
  if (op == "<=") return order <= 0;
  if (op == "==") return order == 0;
  if (op == "!=") return order != 0;
  if (op == ">=") return order >= 0;
  return order > 0;
}

}  // namespace

Resolver Resolver::At(int unit, int line, std::vector<Capture> captures) const {
  Resolver placed = *this;
  placed.unit_ = unit;
  placed.line_ = line;
  placed.captures_ = std::move(captures);
  return placed;
}

std::optional<Resolver::Value> Resolver::Get(std::string_view fact) const { return Get(fact, 0); }

std::optional<Resolver::Value> Resolver::Get(std::string_view fact, int depth) const {
  for (const Capture& capture : captures_) {
    if (capture.fact == fact) return Value{capture.type, capture.value};
  }
  if (const Fact* stated = facts_.Find(fact, unit_, line_))
    return Value{stated->type, stated->value};
  return Derive(fact, depth);
}

std::optional<Resolver::Value> Resolver::Derive(std::string_view fact, int depth) const {
  if (depth >= kMaxDepth) return std::nullopt;
  for (const DerivedFact& derived : derived_) {
    if (derived.fact != fact) continue;
    std::optional<std::string> answer = LookUp(derived.lookup, derived.arguments, depth + 1);
    if (!answer.has_value()) continue;
    std::optional<std::string> value = Normalize(derived.type, *answer);
    if (value.has_value()) return Value{derived.type, *std::move(value)};
  }
  return std::nullopt;
}

std::optional<std::string> Resolver::LookUp(const std::string& lookup,
                                            const std::vector<std::string>& arguments,
                                            int depth) const {
  std::vector<std::string> values;
  for (const std::string& argument : arguments) {
    if (argument.size() >= 2 && argument.front() == '\'' && argument.back() == '\'') {
      values.push_back(argument.substr(1, argument.size() - 2));
      continue;
    }
    std::optional<Value> value = Get(argument, depth);
    if (value.has_value()) {
      values.push_back(std::move(value->text));
    } else if (values.empty() || &argument != &arguments.back()) {
      return std::nullopt;  // only a last argument may be missing
    }
  }
  return knowledge_.LookUp(lookup, values);
}

bool Resolver::Holds(const std::vector<Condition>& conditions) const {
  return std::all_of(conditions.begin(), conditions.end(),
                     [this](const Condition& condition) { return HoldsOne(condition); });
}

bool Resolver::HoldsOne(const Condition& condition) const {
  using Kind = Condition::Kind;
  if (condition.kind == Kind::kAny) {
    return std::any_of(condition.conditions.begin(), condition.conditions.end(),
                       [this](const Condition& c) { return HoldsOne(c); });
  }
  if (condition.kind == Kind::kNot) return !HoldsOne(condition.conditions.front());
  if (condition.kind == Kind::kLookup)
    return LookUp(condition.lookup, condition.arguments, 0) == condition.values.front();

  const std::optional<Value> value = Get(condition.fact);
  if (condition.kind == Kind::kAbsent) return !value.has_value();
  if (!value.has_value()) return condition.kind == Kind::kIsNot;
  const auto is_listed = [&] {
    return std::find(condition.values.begin(), condition.values.end(), value->text) !=
           condition.values.end();
  };
  switch (condition.kind) {
    case Kind::kIs:
      return is_listed();
    case Kind::kIsNot:
      return !is_listed();
    case Kind::kMatches:
      return RegexFinds(condition.values.front(), value->text);
    case Kind::kCompare: {
      const std::optional<Value> other = condition.other.empty()
                                             ? Value{ValueType::kVersion, condition.values.front()}
                                             : Get(condition.other);
      return other.has_value() &&
             Compares(CompareVersions(value->text, other->text, condition.part), condition.op);
    }
    default:
      return true;
  }
}

}  // namespace cudadoctor

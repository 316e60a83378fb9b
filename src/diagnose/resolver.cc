#include "diagnose/resolver.h"

#include <algorithm>
#include <utility>

#include "match/regex.h"

namespace cudadoctor {
namespace {

// A fact may be derived from one that is derived itself, not deeper.
constexpr int kMaxDepth = 4;
// The look-ups that ask the facts of the host, not a table.
constexpr std::string_view kInstalledToolkit = "installed-toolkit";
constexpr std::string_view kInstalledGcc = "installed-gcc";
constexpr std::string_view kRoomyFolder = "roomy-folder";
// PyTorch's README: "gcc 9.4.0 or newer is required".
constexpr std::string_view kOldestGcc = "9";

bool Compares(int order, const std::string& op) {
  if (op == "<") return order < 0;
  if (op == "<=") return order <= 0;
  if (op == "==") return order == 0;
  if (op == "!=") return order != 0;
  if (op == ">=") return order >= 0;
  return order > 0;
}

}  // namespace

Resolver Resolver::At(int unit, int64_t line, std::vector<Capture> captures) const {
  Resolver placed = *this;
  placed.unit_ = unit;
  placed.line_ = line;
  placed.captures_ = std::move(captures);
  return placed;
}

Resolver Resolver::With(std::vector<Capture> captures) const {
  Resolver extended = *this;
  extended.captures_ = std::move(captures);
  extended.captures_.insert(extended.captures_.end(), captures_.begin(), captures_.end());
  return extended;
}

bool Resolver::IsLookup(std::string_view name) {
  return name == kInstalledToolkit || name == kInstalledGcc || name == kRoomyFolder ||
         Knowledge::IsLookup(name);
}

std::optional<Resolver::Value> Resolver::Get(std::string_view fact) const {
  return Get(fact, Scope::kLogAndHost, 0);
}

std::optional<Resolver::Value> Resolver::Get(std::string_view fact, Scope scope, int depth) const {
  for (const Capture& capture : captures_) {
    if (capture.fact == fact) return Value{capture.type, capture.value};
  }
  const Fact* stated = facts_.Find(fact, unit_, line_);
  if (stated != nullptr && stated->origin == Origin::kLog)
    return Value{stated->type, stated->value};
  // What follows from the log is nearer to it than what the machine has now.
  std::optional<Value> derived = Derive(fact, Scope::kLog, depth);
  if (derived.has_value() || scope == Scope::kLog) return derived;
  if (stated != nullptr) return Value{stated->type, stated->value};
  return Derive(fact, scope, depth);
}

std::optional<Resolver::Value> Resolver::Derive(std::string_view fact, Scope scope,
                                                int depth) const {
  if (depth >= kMaxDepth) return std::nullopt;
  for (const DerivedFact& derived : derived_) {
    if (derived.fact != fact) continue;
    std::optional<std::string> answer = LookUp(derived.lookup, derived.arguments, scope, depth + 1);
    if (!answer.has_value()) continue;
    std::optional<std::string> value = Normalize(derived.type, *answer);
    if (value.has_value()) return Value{derived.type, *std::move(value)};
  }
  return std::nullopt;
}

std::optional<std::string> Resolver::LookUp(const std::string& lookup,
                                            const std::vector<std::string>& arguments, Scope scope,
                                            int depth) const {
  std::vector<std::string> values;
  for (const std::string& argument : arguments) {
    if (argument.size() >= 2 && argument.front() == '\'' && argument.back() == '\'') {
      values.push_back(argument.substr(1, argument.size() - 2));
      continue;
    }
    std::optional<Value> value = Get(argument, scope, depth);
    if (value.has_value()) {
      values.push_back(std::move(value->text));
    } else if (values.empty() || &argument != &arguments.back()) {
      return std::nullopt;  // only a last argument may be missing
    }
  }
  if (lookup == kInstalledToolkit) return InstalledToolkit(values.front());
  if (lookup == kInstalledGcc) return InstalledGcc(values);
  if (lookup == kRoomyFolder) return RoomyFolder(values);
  return knowledge_.LookUp(lookup, values);
}

// Where the host has the CUDA toolkit `version`, or the nearest newer one of the same major
// version, which builds for the same PyTorch.
std::optional<std::string> Resolver::InstalledToolkit(std::string_view version) const {
  const Fact* best = nullptr;
  for (const Fact& fact : facts_.facts()) {
    const bool fits = fact.name == "installed_toolkit" && fact.origin == Origin::kHost &&
                      !fact.at.empty() &&
                      CompareVersions(fact.value, version, VersionPart::kMajor) == 0 &&
                      CompareVersions(fact.value, version, VersionPart::kMinor) >= 0;
    if (fits && (best == nullptr || CompareVersions(fact.value, best->value) < 0)) best = &fact;
  }
  return best == nullptr ? std::nullopt : std::optional(best->at);
}

// The path of the host's newest g++, or with "gcc" as second value of its gcc, that is not newer
// than the first value.
std::optional<std::string> Resolver::InstalledGcc(const std::vector<std::string>& values) const {
  constexpr std::string_view kName = "g++";
  const Fact* best = nullptr;
  for (const Fact& fact : facts_.facts()) {
    const bool fits = fact.name == "installed_gcc" && fact.origin == Origin::kHost &&
                      fact.at.rfind(kName) != std::string::npos &&
                      CompareVersions(fact.value, values.front(), VersionPart::kMajor) <= 0 &&
                      CompareVersions(fact.value, kOldestGcc, VersionPart::kMajor) >= 0;
    if (fits && (best == nullptr || CompareVersions(fact.value, best->value) > 0)) best = &fact;
  }
  if (best == nullptr) return std::nullopt;
  std::string path = best->at;
  if (values.size() > 1) path.replace(path.rfind(kName), kName.size(), values[1]);
  return path;
}

// The host's folder with most room, at least as many GiB as the first value says, on another file
// system than the second value, a path that is full, or where temporary files are.
std::optional<std::string> Resolver::RoomyFolder(const std::vector<std::string>& values) const {
  const Fact* full = nullptr;
  std::vector<const Fact*> folders;
  for (const Fact& fact : facts_.facts()) {
    if (fact.name != "disk_free" || fact.origin != Origin::kHost || fact.at.empty()) continue;
    folders.push_back(&fact);
    const bool holds_path = values.size() > 1 && values[1].starts_with(fact.at + "/");
    if (holds_path && (full == nullptr || fact.at.size() > full->at.size())) full = &fact;
  }
  if (folders.empty()) return std::nullopt;
  // The first is that of temporary files, see ProbeResources.
  if (full == nullptr) {
    full = folders.front();
    if (CompareVersions(full->value, values.front()) >= 0) return std::nullopt;
  }
  const Fact* best = nullptr;
  for (const Fact* folder : folders) {
    // Two folders with exactly the same room are on one file system.
    const bool fits =
        folder->value != full->value && CompareVersions(folder->value, values.front()) >= 0;
    if (fits && (best == nullptr || CompareVersions(folder->value, best->value) > 0)) best = folder;
  }
  return best == nullptr ? std::nullopt : std::optional(best->at);
}

std::vector<std::string> Resolver::AllOfHost(std::string_view fact) const {
  const std::optional<Value> value = Get(fact);
  std::vector<std::string> values;
  if (!value.has_value()) return values;
  for (const Fact& stated : facts_.facts()) {
    if (stated.name == fact && stated.origin == Origin::kHost) values.push_back(stated.value);
  }
  if (std::find(values.begin(), values.end(), value->text) == values.end()) return {};
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

std::vector<std::string> Resolver::AllOfLog(std::string_view fact) const {
  std::vector<std::string> values;
  for (const Fact& stated : facts_.facts()) {
    if (stated.name == fact &&
        std::find(values.begin(), values.end(), stated.value) == values.end())
      values.push_back(stated.value);
  }
  return values;
}

Truth Resolver::Decide(const std::vector<Condition>& conditions) const {
  Truth least = Truth::kYes;
  for (const Condition& condition : conditions) {
    least = std::min(least, Decide(condition));
    if (least == Truth::kNo) break;
  }
  return least;
}

Truth Resolver::Decide(const Condition& condition) const {
  using Kind = Condition::Kind;
  const auto decided = [](bool is_so) { return is_so ? Truth::kYes : Truth::kNo; };
  switch (condition.kind) {
    case Kind::kAny: {
      Truth greatest = Truth::kNo;
      for (const Condition& part : condition.conditions)
        greatest = std::max(greatest, Decide(part));
      return greatest;
    }
    case Kind::kAll:
      return Decide(condition.conditions);
    case Kind::kNot: {
      const Truth inner = Decide(condition.conditions.front());
      return inner == Truth::kUnknown ? inner : decided(inner == Truth::kNo);
    }
    case Kind::kKnown:
      return decided(Decide(condition.conditions.front()) == Truth::kYes);
    case Kind::kPresent:
      return decided(Get(condition.fact).has_value());
    case Kind::kLookup: {
      const std::optional<std::string> answer =
          LookUp(condition.lookup, condition.arguments, Scope::kLogAndHost, 0);
      return answer.has_value() ? decided(*answer == condition.values.front()) : Truth::kUnknown;
    }
    case Kind::kIs:
    case Kind::kMatches:
    case Kind::kCompare:
      break;
  }
  const std::optional<Value> value = Get(condition.fact);
  if (!value.has_value()) return Truth::kUnknown;
  if (condition.kind == Kind::kIs) {
    return decided(std::find(condition.values.begin(), condition.values.end(), value->text) !=
                   condition.values.end());
  }
  if (condition.kind == Kind::kMatches)
    return decided(RegexFinds(condition.values.front(), value->text));
  const std::optional<Value> other = condition.other.empty()
                                         ? Value{ValueType::kVersion, condition.values.front()}
                                         : Get(condition.other);
  if (!other.has_value()) return Truth::kUnknown;
  return decided(Compares(CompareVersions(value->text, other->text, condition.part), condition.op));
}

}  // namespace cudadoctor

#include "rules/parse.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "base/views.h"
#include "json/json.h"
#include "match/atoms.h"
#include "rules/condition.h"
#include "rules/json_reader.h"

namespace cudadoctor {
namespace {

CaptureSpecs ReadCaptures(ObjectReader& object) {
  CaptureSpecs captures;
  const Json* list = object.Get("captures");
  if (list == nullptr) return captures;
  if (!list->is_object()) {
    object.Fail("captures", "must be a table");
    return captures;
  }
  for (const auto& [name, value] : list->items()) {
    ObjectReader capture(object.document(), value,
                         absl::StrCat(object.Pointer("captures"), "/", name),
                         {"type", "fact", "unit"});
    const std::string type_name = capture.Required("type");
    const std::optional<ValueType> type = TypeFromName(type_name);
    if (!type.has_value())
      capture.Fail("type",
                   absl::StrCat("\"", type_name, "\" is no type of CONTRIBUTING.md's table"));
    std::string fact = capture.Optional("fact");
    captures[name] = {fact.empty() ? name : fact, type.value_or(ValueType::kText),
                      capture.Optional("unit")};
  }
  return captures;
}

void AddFragments(ObjectReader& object, std::string_view key, Fragments& fragments) {
  const std::vector<std::pair<std::string, std::string>> own = object.FragmentMap(key);
  for (const auto& [name, text] : own) fragments[name] = text;
  for (const auto& [name, text] : own) {
    const absl::Status status = ExpandPattern(text, fragments).status();
    if (!status.ok())
      object.document().Fail(absl::StrCat(object.Pointer(key), "/", name), Std(status.message()));
  }
}

// A pattern that is not `found_alone` only supports or excludes what another one decides: without a
// word to search for it is looked for near that one.
Pattern ReadPattern(JsonDocument& document, const Json& json, const std::string& pointer,
                    const std::shared_ptr<const CaptureSpecs>& captures, const Fragments& fragments,
                    bool found_alone) {
  ObjectReader object(document, json, pointer, {"name", "pattern", "nearby", "within", "sets"});
  Pattern pattern;
  pattern.name = object.Required("name");
  pattern.is_nearby = object.Flag("nearby");
  pattern.sets = object.StringMap("sets");
  pattern.captures = captures;
  const Texts texts = object.TextsOf("pattern");
  if (texts.empty()) object.Fail("pattern", "must be a regular expression or a list of them");
  for (const std::string& text : texts) {
    absl::StatusOr<std::string> expanded = ExpandPattern(text, fragments);
    if (!expanded.ok()) object.Fail("pattern", Std(expanded.status().message()));
    const std::string& regex = pattern.regexes.emplace_back(expanded.ok() ? *expanded : "");
    absl::StatusOr<Atoms> atoms = ExtractAtoms(regex, pattern.is_nearby);
    if (!atoms.ok()) {
      object.Fail("pattern", absl::StrCat("not valid RE2: ", atoms.status().message()));
      continue;
    }
    if (atoms->any.empty() && !found_alone) {
      pattern.is_nearby = true;
      atoms = ExtractAtoms(regex, /*may_be_frequent=*/true);
    }
    if (atoms->any.empty() && !pattern.is_nearby) {
      object.Fail("pattern", absl::StrCat("\"", text, "\" has no fixed word of ", kMinAtomBytes,
                                          " or more letters that healthy logs are not full of; "
                                          "make one fixed, or set nearby = true"));
    }
    pattern.atoms.push_back(*std::move(atoms));
  }
  return pattern;
}

// Collects a file's patterns; a name that stands twice must mean the same pattern.
class PatternList {
 public:
  PatternList(JsonDocument& document, ParsedFile& parsed, CaptureSpecs captures,
              const Fragments& fragments)
      : document_(document),
        parsed_(parsed),
        captures_(std::make_shared<const CaptureSpecs>(std::move(captures))),
        fragments_(fragments) {}

  void Read(ObjectReader& object, std::string_view key, PatternRole role) {
    bool is_first = true;
    for (const auto& [json, pointer] : object.Elements(key)) {
      const bool found_alone = role != PatternRole::kSignature || (is_first && key == "all");
      Pattern pattern = ReadPattern(document_, *json, pointer, captures_, fragments_, found_alone);
      is_first = false;
      const auto same_name = [&](const Pattern& known) { return known.name == pattern.name; };
      const auto known = std::find_if(parsed_.patterns.begin(), parsed_.patterns.end(), same_name);
      if (known == parsed_.patterns.end()) {
        parsed_.patterns.push_back(std::move(pattern));
        parsed_.roles.push_back(role);
      } else if (known->regexes != pattern.regexes) {
        document_.Fail(pointer, absl::StrCat("the name \"", pattern.name,
                                             "\" stands for another pattern already; rename one"));
      }
    }
  }

 private:
  JsonDocument& document_;
  ParsedFile& parsed_;
  std::shared_ptr<const CaptureSpecs> captures_;
  const Fragments& fragments_;
};

std::vector<Condition> ReadConditions(ObjectReader& object, std::string_view key) {
  if (!object.Has(key)) return {};
  size_t at = 0;
  absl::StatusOr<std::vector<Condition>> conditions = ParseConditions(object.Required(key), at);
  if (conditions.ok()) return *std::move(conditions);
  object.Fail(key, Std(conditions.status().message()), at);
  return {};
}

std::vector<SignatureTerm> ReadTerms(ObjectReader& signature, std::string_view key,
                                     const RuleFile& file, const std::vector<Pattern>& patterns) {
  std::vector<SignatureTerm> terms;
  for (const auto& [json, pointer] : signature.Elements(key)) {
    ObjectReader object(signature.document(), *json, pointer,
                        {"name", "pattern", "nearby", "within", "sets"});
    SignatureTerm term;
    const std::string name = object.Required("name");
    if (object.Has("within")) term.within = object.Integer("within");
    for (int i = file.first_pattern; i < file.first_pattern + file.pattern_count; ++i) {
      if (patterns[i].name == name) term.pattern = i;
    }
    terms.push_back(term);
  }
  return terms;
}

Signature ReadSignature(JsonDocument& document, const Json& json, const std::string& pointer,
                        const RuleFile& file, const std::vector<Pattern>& patterns) {
  ObjectReader object(document, json, pointer,
                      {"name", "confidence", "role", "all", "none", "where", "title"});
  Signature signature;
  signature.name = object.Required("name");
  static constexpr Confidence kConfidences[] = {Confidence::kPossible, Confidence::kLikely,
                                                Confidence::kCertain};
  signature.confidence =
      kConfidences[object.OneOf("confidence", {"possible", "likely", "certain"})];
  static constexpr Role kRoles[] = {Role::kRoot, Role::kContributing, Role::kLatent};
  if (object.Has("role"))
    signature.role = kRoles[object.OneOf("role", {"root", "contributing", "latent"})];
  signature.all = ReadTerms(object, "all", file, patterns);
  signature.none = ReadTerms(object, "none", file, patterns);
  signature.where = ReadConditions(object, "where");
  signature.title = object.TextsOf("title");
  if (signature.all.empty()) object.Fail("all", "must hold at least one pattern");
  return signature;
}

std::optional<std::pair<std::string, Texts>> ReadCheck(ObjectReader& object) {
  const Json* json = object.Get("check");
  if (json == nullptr) return std::nullopt;
  ObjectReader check(object.document(), *json, object.Pointer("check"), {"run", "says"});
  return std::make_pair(check.Required("run"), check.TextsOf("says"));
}

StepPlan ReadStep(JsonDocument& document, const Json& json, const std::string& pointer) {
  ObjectReader object(document, json, pointer, {"run", "rerun", "note", "when"});
  StepPlan step;
  step.run = object.Optional("run");
  step.note = object.TextsOf("note");
  step.when = ReadConditions(object, "when");
  if (const Json* rerun = object.Get("rerun"); rerun != nullptr) {
    ObjectReader changes(document, *rerun, object.Pointer("rerun"), {"env", "add", "drop", "jobs"});
    step.rerun = Rerun{changes.StringMap("env"), changes.Strings("add"), changes.Strings("drop"),
                       changes.Optional("jobs")};
  }
  return step;
}

RemedyPlan ReadRemedy(JsonDocument& document, const Json& json, const std::string& pointer) {
  ObjectReader object(
      document, json, pointer,
      {"id", "use", "with", "title", "when", "needs", "why", "cost", "steps", "check"});
  RemedyPlan remedy;
  remedy.use = object.Optional("use");
  remedy.id = object.Optional("id");
  if (remedy.id.empty()) remedy.id = remedy.use;
  if (remedy.id.empty())
    object.Fail("id", "a remedy needs an id, or use with the id of a shared remedy");
  remedy.with = object.StringMap("with");
  remedy.title = object.TextsOf("title");
  remedy.when = ReadConditions(object, "when");
  remedy.needs = object.Strings("needs");
  remedy.why = object.TextsOf("why");
  remedy.cost = object.TextsOf("cost");
  for (const auto& [step, step_pointer] : object.Elements("steps")) {
    remedy.steps.push_back(ReadStep(document, *step, step_pointer));
  }
  if (remedy.steps.empty() && remedy.use.empty())
    object.Fail("steps", "a remedy needs at least one step");
  remedy.check = ReadCheck(object);
  return remedy;
}

// A paragraph that was broken into lines.
std::string JoinLines(std::string_view text) {
  std::vector<absl::string_view> lines;
  for (const absl::string_view line : absl::StrSplit(Absl(text), '\n'))
    lines.push_back(absl::StripAsciiWhitespace(line));
  return std::string(absl::StripAsciiWhitespace(absl::StrJoin(lines, " ")));
}

// The lines of a log; the end of the last one may be left out.
std::vector<std::string> LinesOf(std::string_view log) {
  if (!log.empty() && log.back() == '\n') log.remove_suffix(1);
  return absl::StrSplit(Absl(log), '\n');
}

Example ReadExample(JsonDocument& document, const Json& json, const std::string& pointer) {
  ObjectReader object(document, json, pointer, {"name", "log", "line", "facts", "tool"});
  return {object.Required("name"), LinesOf(object.Required("log")), object.Integer("line"),
          object.StringMap("facts")};
}

FileKind KindOf(const Json& json) {
  if (json.contains("signatures")) return FileKind::kCause;
  if (json.contains("kind")) return FileKind::kSymptom;
  if (json.contains("facts")) return FileKind::kFacts;
  if (json.contains("unit")) return FileKind::kUnit;
  return FileKind::kRemedy;
}

std::string Stem(std::string_view origin) {
  const size_t slash = origin.rfind('/');
  if (slash != std::string_view::npos) origin.remove_prefix(slash + 1);
  return std::string(origin.substr(0, origin.rfind('.')));
}

}  // namespace

absl::StatusOr<Fragments> ParseFragments(const Json& json, std::string_view source,
                                         const std::string& origin, Fragments known) {
  JsonDocument document{origin, source};
  const Json whole = {{"", json}};
  ObjectReader reader(document, whole, "", {""});
  AddFragments(reader, "", known);
  RETURN_IF_ERROR(document.status);
  return known;
}

absl::StatusOr<ParsedFile> ParseRuleFile(const Json& json, std::string_view source,
                                         const std::string& origin, const Fragments& shared) {
  JsonDocument document{origin, source};
  ObjectReader object(document, json, "",
                      {"id",
                       "group",
                       "status",
                       "former_ids",
                       "retry",
                       "at_run_time",
                       "title",
                       "explanation",
                       "signatures",
                       "captures",
                       "fragments",
                       "explains",
                       "yields_to",
                       "host_conflicts",
                       "remedies",
                       "avoid",
                       "references",
                       "examples",
                       "counter_examples",
                       "kind",
                       "patterns",
                       "facts",
                       "derived",
                       "host",
                       "ways",
                       "unit",
                       "begin",
                       "success",
                       "work",
                       "remedy",
                       "parameters",
                       "variants"});
  ParsedFile parsed;
  parsed.file.id = object.Required("id");
  parsed.file.origin = origin;
  parsed.file.source = source;
  parsed.file.kind = json.is_object() ? KindOf(json) : FileKind::kRemedy;
  if (parsed.file.id != Stem(origin))
    object.Fail("id", absl::StrCat("must be the file's name, \"", Stem(origin), "\""));

  Fragments fragments = shared;
  AddFragments(object, "fragments", fragments);
  PatternList patterns(document, parsed, ReadCaptures(object), fragments);
  switch (parsed.file.kind) {
    case FileKind::kCause: {
      parsed.file.group = object.Required("group");
      parsed.file.is_stable = object.OneOf("status", {"draft", "stable"}) == 1;
      for (const auto& [signature, pointer] : object.Elements("signatures")) {
        ObjectReader reader(document, *signature, pointer,
                            {"name", "confidence", "role", "all", "none", "where", "title"});
        patterns.Read(reader, "all", PatternRole::kSignature);
        patterns.Read(reader, "none", PatternRole::kSignature);
      }
      break;
    }
    case FileKind::kSymptom:
      patterns.Read(object, "patterns",
                    object.OneOf("kind", {"failure", "error"}) == 0 ? PatternRole::kFailure
                                                                    : PatternRole::kError);
      break;
    case FileKind::kFacts:
      patterns.Read(object, "patterns", PatternRole::kFact);
      for (const auto& [derived, pointer] : object.Elements("derived")) {
        ObjectReader reader(document, *derived, pointer, {"fact", "type", "lookup", "with"});
        parsed.derived.push_back({reader.Required("fact"),
                                  TypeFromName(reader.Required("type")).value_or(ValueType::kText),
                                  reader.Required("lookup"), reader.Strings("with")});
      }
      for (const auto& [need, run] : object.StringMap("ways")) {
        if (std::find(kNeeds.begin(), kNeeds.end(), need) == kNeeds.end())
          object.Fail("ways", absl::StrCat("\"", need, "\" is no need that a tool meets"));
      }
      break;
    case FileKind::kUnit:
      parsed.file.unit_kind = object.Required("unit");
      patterns.Read(object, "begin", PatternRole::kUnitBegin);
      patterns.Read(object, "success", PatternRole::kUnitSuccess);
      patterns.Read(object, "work", PatternRole::kUnitWork);
      break;
    case FileKind::kRemedy:
      if (!json.contains("variants"))
        object.Fail(
            "", "is neither a cause, a symptom, facts, a unit nor a remedy; see CONTRIBUTING.md");
      break;
  }
  RETURN_IF_ERROR(document.status);
  parsed.file.pattern_count = static_cast<int>(parsed.patterns.size());
  return parsed;
}

absl::StatusOr<Cause> ParseCause(const RuleFile& file, const std::vector<Pattern>& patterns) {
  ASSIGN_OR_RETURN(const Json json, ParseJson(file.text, file.origin));
  JsonDocument document{file.origin, file.source};
  ObjectReader object(
      document, json, "",
      {"id", "group", "status", "former_ids", "retry", "at_run_time", "title", "explanation",
       "signatures", "captures", "fragments", "explains", "yields_to", "host_conflicts", "remedies",
       "avoid", "references", "examples", "counter_examples"});
  Cause cause;
  cause.id = file.id;
  cause.group = file.group;
  cause.is_stable = file.is_stable;
  static constexpr const char* kRetries[] = {"transient", "runner", "environment", "source"};
  cause.retry = kRetries[object.OneOf("retry", {"transient", "runner", "environment", "source"})];
  cause.is_at_run_time = object.Flag("at_run_time");
  cause.title = object.TextsOf("title");
  cause.explanation = JoinLines(object.Required("explanation"));
  for (const auto& [signature, pointer] : object.Elements("signatures")) {
    cause.signatures.push_back(ReadSignature(document, *signature, pointer, file, patterns));
  }
  cause.explains = object.Strings("explains");
  cause.yields_to = object.Strings("yields_to");
  for (const auto& [conflict, pointer] : object.Elements("host_conflicts")) {
    ObjectReader reader(document, *conflict, pointer, {"fact", "when"});
    HostConflict& read = cause.host_conflicts.emplace_back();
    read.fact = reader.Required("fact");
    read.when = ReadConditions(reader, "when");
  }
  for (const auto& [remedy, pointer] : object.Elements("remedies")) {
    cause.remedies.push_back(ReadRemedy(document, *remedy, pointer));
    if (cause.remedies.back().title.empty() && cause.remedies.back().use.empty())
      document.Fail(pointer + "/title", "a remedy needs a title");
  }
  for (const auto& [texts, pointer] : object.Elements("avoid")) {
    if (texts->is_string()) {
      cause.avoid.push_back({texts->get<std::string>()});
    } else if (texts->is_array()) {
      Texts alternatives;
      for (const Json& text : *texts)
        alternatives.push_back(text.is_string() ? text.get<std::string>() : "");
      cause.avoid.push_back(std::move(alternatives));
    } else {
      document.Fail(pointer, "must be a text or a list of alternatives");
    }
  }
  for (const auto& [reference, pointer] : object.Elements("references")) {
    ObjectReader reader(document, *reference, pointer, {"url", "says"});
    cause.references.push_back({reader.Required("url"), reader.Required("says")});
  }
  if (cause.title.empty()) object.Fail("title", "a cause needs a title");
  RETURN_IF_ERROR(document.status);
  return cause;
}

absl::StatusOr<SharedRemedy> ParseSharedRemedy(const RuleFile& file) {
  ASSIGN_OR_RETURN(const Json json, ParseJson(file.text, file.origin));
  JsonDocument document{file.origin, file.source};
  ObjectReader object(document, json, "", {"id", "remedy", "parameters", "title", "variants"});
  SharedRemedy remedy;
  remedy.id = file.id;
  remedy.parameters = object.Strings("parameters");
  remedy.title = object.TextsOf("title");
  for (const auto& [variant, pointer] : object.Elements("variants")) {
    if (!variant->is_object()) {
      document.Fail(pointer, "must be a table");
      continue;
    }
    Json named = *variant;
    named["id"] = file.id;
    remedy.variants.push_back(ReadRemedy(document, named, pointer));
    if (remedy.title.empty() && remedy.variants.back().title.empty())
      document.Fail(pointer + "/title", "a remedy needs a title");
  }
  RETURN_IF_ERROR(document.status);
  return remedy;
}

absl::StatusOr<Ways> ParseWays(const RuleFile& file) {
  ASSIGN_OR_RETURN(const Json json, ParseJson(file.text, file.origin));
  Ways ways;
  if (json.contains("ways")) {
    for (const auto& [need, run] : json["ways"].items()) ways.emplace(need, run.get<std::string>());
  }
  return ways;
}

absl::StatusOr<std::vector<std::string>> ParseNamesOfHostFacts(const RuleFile& file) {
  ASSIGN_OR_RETURN(const Json json, ParseJson(file.text, file.origin));
  std::vector<std::string> names;
  if (json.contains("host") && json["host"].is_object()) {
    for (const auto& [name, spec] : json["host"].items()) names.push_back(name);
  }
  return names;
}

absl::StatusOr<Examples> ParseExamples(const RuleFile& file) {
  ASSIGN_OR_RETURN(const Json json, ParseJson(file.text, file.origin));
  JsonDocument document{file.origin, file.source};
  Examples examples;
  for (const auto& [key, list] : {std::pair{"examples", &examples.examples},
                                  std::pair{"counter_examples", &examples.counter_examples}}) {
    const bool has_key = json.is_object() && json.contains(key);
    if (!has_key) continue;
    if (!json[key].is_array()) document.Fail(absl::StrCat("/", key), "must be a list");
    size_t i = 0;
    for (const Json& example : json[key])
      list->push_back(ReadExample(document, example, absl::StrCat("/", key, "/", i++)));
  }
  RETURN_IF_ERROR(document.status);
  return examples;
}

}  // namespace cudadoctor

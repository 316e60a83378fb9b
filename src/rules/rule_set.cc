#include "rules/rule_set.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/views.h"
#include "json/json.h"
#include "rules/parse.h"

namespace cudadoctor {
namespace {

constexpr std::string_view kKnowledgeFolder = "knowledge/";

bool IsKnowledge(std::string_view origin) { return absl::StrContains(Absl(origin), Absl(kKnowledgeFolder)); }

std::string KnowledgeName(std::string_view origin) {
  origin.remove_prefix(origin.rfind('/') + 1);
  return std::string(origin.substr(0, origin.rfind('.')));
}

Json ToJson(const Pattern& pattern) {
  Json captures = Json::array();
  for (const auto& [name, spec] : pattern.captures) captures.push_back({name, spec.fact, static_cast<int>(spec.type)});
  return Json::array({pattern.name, pattern.regexes, pattern.atoms, pattern.is_nearby, captures, pattern.sets});
}

Pattern PatternFromJson(const Json& json) {
  Pattern pattern;
  pattern.name = json[0].get<std::string>();
  pattern.regexes = json[1].get<std::vector<std::string>>();
  pattern.atoms = json[2].get<std::vector<std::vector<std::string>>>();
  pattern.is_nearby = json[3].get<bool>();
  for (const Json& capture : json[4]) {
    pattern.captures[capture[0].get<std::string>()] = {capture[1].get<std::string>(), static_cast<ValueType>(capture[2].get<int>())};
  }
  pattern.sets = json[5].get<std::vector<std::pair<std::string, std::string>>>();
  return pattern;
}

}  // namespace

// Causes and shared remedies, parsed when first asked for.
struct RuleSet::Lazy {
  template <typename T>
  struct Slot {
    std::once_flag once;
    absl::StatusOr<T> value = absl::UnknownError("not parsed");
  };
  explicit Lazy(size_t files) : causes(files), remedies(files) {}
  std::vector<Slot<Cause>> causes;
  std::vector<Slot<SharedRemedy>> remedies;
};

RuleSet::RuleSet() = default;
RuleSet::~RuleSet() = default;

absl::StatusOr<std::unique_ptr<RuleSet>> RuleSet::FromSources(const std::vector<SourceFile>& sources) {
  std::unique_ptr<RuleSet> rules(new RuleSet());
  for (const SourceFile& source : sources) RETURN_IF_ERROR(rules->Add(source));
  RETURN_IF_ERROR(rules->Finish());
  return rules;
}

absl::StatusOr<std::unique_ptr<RuleSet>> RuleSet::FromEmbedded(std::string_view bytes) {
  std::unique_ptr<RuleSet> rules(new RuleSet());
  ASSIGN_OR_RETURN(const Json json, ReadCbor(bytes));
  for (const Json& item : json["files"]) {
    ParsedFile parsed;
    RuleFile& file = parsed.file;
    file.id = item["id"].get<std::string>();
    file.origin = item["origin"].get<std::string>();
    file.kind = static_cast<FileKind>(item["kind"].get<int>());
    file.group = item["group"].get<std::string>();
    file.is_stable = item["stable"].get<bool>();
    file.unit_kind = item["unit"].get<std::string>();
    file.text = item["text"].get<std::string>();
    for (const Json& pattern : item["patterns"]) parsed.patterns.push_back(PatternFromJson(pattern));
    for (const Json& role : item["roles"]) parsed.roles.push_back(static_cast<PatternRole>(role.get<int>()));
    file.pattern_count = static_cast<int>(parsed.patterns.size());
    for (const Json& derived : item["derived"]) {
      parsed.derived.push_back({derived[0].get<std::string>(), static_cast<ValueType>(derived[1].get<int>()),
                                       derived[2].get<std::string>(), derived[3].get<std::vector<std::string>>()});
    }
    rules->parsed_.push_back(std::move(parsed));
  }
  for (const auto& [name, text] : json["knowledge"].items()) rules->knowledge_[name] = text.get<std::string>();
  return rules;
}

std::string RuleSet::Serialize() const {
  Json files = Json::array();
  for (const RuleFile& file : files_) {
    Json patterns = Json::array();
    Json roles = Json::array();
    for (int i = file.first_pattern; i < file.first_pattern + file.pattern_count; ++i) {
      patterns.push_back(ToJson(patterns_[i]));
      roles.push_back(static_cast<int>(owners_[i].role));
    }
    Json derived = Json::array();
    if (file.kind == FileKind::kFacts) {
      const absl::StatusOr<ParsedFile> parsed = ParseRuleFile(file.text, file.origin);
      for (const DerivedFact& fact : parsed->derived) {
        derived.push_back(Json::array({fact.fact, static_cast<int>(fact.type), fact.lookup, fact.arguments}));
      }
    }
    files.push_back({{"id", file.id}, {"origin", file.origin}, {"kind", static_cast<int>(file.kind)}, {"group", file.group},
                     {"stable", file.is_stable}, {"unit", file.unit_kind}, {"text", file.text}, {"patterns", patterns},
                     {"roles", roles}, {"derived", derived}});
  }
  Json knowledge = Json::object();
  for (const auto& [name, text] : knowledge_) knowledge[name] = text;
  return WriteCbor({{"files", files}, {"knowledge", knowledge}});
}

absl::Status RuleSet::Add(const SourceFile& source) {
  if (IsKnowledge(source.origin)) {
    RETURN_IF_ERROR(ParseJson(source.text, source.origin).status());
    knowledge_[KnowledgeName(source.origin)] = source.text;
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(ParsedFile parsed, ParseRuleFile(source.text, source.origin));
  const auto same_id = [&](const ParsedFile& known) { return known.file.id == parsed.file.id; };
  parsed_.erase(std::remove_if(parsed_.begin(), parsed_.end(), same_id), parsed_.end());
  parsed_.push_back(std::move(parsed));
  return absl::OkStatus();
}

absl::Status RuleSet::Finish() {
  std::sort(parsed_.begin(), parsed_.end(), [](const ParsedFile& a, const ParsedFile& b) { return a.file.id < b.file.id; });
  for (ParsedFile& parsed : parsed_) {
    parsed.file.first_pattern = static_cast<int>(patterns_.size());
    for (size_t i = 0; i < parsed.patterns.size(); ++i) {
      patterns_.push_back(std::move(parsed.patterns[i]));
      owners_.push_back({static_cast<int>(files_.size()), parsed.roles[i]});
    }
    derived_.insert(derived_.end(), parsed.derived.begin(), parsed.derived.end());
    files_.push_back(std::move(parsed.file));
  }
  parsed_.clear();
  matcher_ = std::make_unique<Matcher>(patterns_);
  lazy_ = std::make_unique<Lazy>(files_.size());
  return absl::OkStatus();
}

const RuleFile* RuleSet::Find(std::string_view id) const {
  const auto found = std::lower_bound(files_.begin(), files_.end(), id, [](const RuleFile& file, std::string_view wanted) { return file.id < wanted; });
  return found == files_.end() || found->id != id ? nullptr : &*found;
}

absl::StatusOr<const Cause*> RuleSet::CauseOf(int file) const {
  Lazy::Slot<Cause>& slot = lazy_->causes[file];
  std::call_once(slot.once, [&] { slot.value = ParseCause(files_[file], patterns_); });
  RETURN_IF_ERROR(slot.value.status());
  return &*slot.value;
}

absl::StatusOr<const SharedRemedy*> RuleSet::SharedRemedyOf(std::string_view id) const {
  const RuleFile* file = Find(id);
  if (file == nullptr || file->kind != FileKind::kRemedy) {
    return absl::InvalidArgumentError(absl::StrCat("no shared remedy \"", Absl(id), "\" in rules/remedies"));
  }
  Lazy::Slot<SharedRemedy>& slot = lazy_->remedies[file - files_.data()];
  std::call_once(slot.once, [&] { slot.value = ParseSharedRemedy(*file); });
  RETURN_IF_ERROR(slot.value.status());
  return &*slot.value;
}

std::string_view RuleSet::KnowledgeText(std::string_view name) const {
  const auto found = knowledge_.find(name);
  return found == knowledge_.end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace cudadoctor

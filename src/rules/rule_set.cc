#include "rules/rule_set.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/views.h"
#include "json/json.h"
#include "rules/json_reader.h"
#include "rules/parse.h"
#include "rules/record.h"
#include "toml/toml.h"

namespace cudadoctor {
namespace {

constexpr std::string_view kKnowledgeFolder = "knowledge/";

bool IsKnowledge(std::string_view origin) {
  return absl::StrContains(Absl(origin), Absl(kKnowledgeFolder));
}

bool IsFragments(const SourceFile& source) { return source.origin == "fragments.toml"; }

std::string KnowledgeName(std::string_view origin) {
  origin.remove_prefix(origin.rfind('/') + 1);
  return std::string(origin.substr(0, origin.rfind('.')));
}

void Write(const std::vector<std::string>& strings, RecordWriter& record) {
  record.Number(static_cast<uint32_t>(strings.size()));
  for (const std::string& string : strings) record.Text(string);
}

std::vector<std::string> ReadStrings(RecordReader& record) {
  std::vector<std::string> strings;
  const uint32_t count = record.Number();
  for (uint32_t i = 0; i < count && record.is_complete(); ++i) strings.push_back(record.String());
  return strings;
}

void Write(const Pattern& pattern, RecordWriter& record) {
  record.Text(pattern.name);
  record.Number(pattern.is_nearby);
  record.Number(static_cast<uint32_t>(pattern.regexes.size()));
  for (size_t i = 0; i < pattern.regexes.size(); ++i) {
    record.Text(pattern.regexes[i]);
    Write(pattern.atoms[i].any, record);
    Write(pattern.atoms[i].all, record);
  }
  record.Number(static_cast<uint32_t>(pattern.sets.size()));
  for (const auto& [fact, value] : pattern.sets) {
    record.Text(fact);
    record.Text(value);
  }
}

Pattern ReadPattern(RecordReader& record, const std::shared_ptr<const CaptureSpecs>& captures) {
  Pattern pattern;
  pattern.name = record.String();
  pattern.is_nearby = record.Number() != 0;
  const uint32_t regexes = record.Number();
  for (uint32_t i = 0; i < regexes && record.is_complete(); ++i) {
    pattern.regexes.push_back(record.String());
    std::vector<std::string> any = ReadStrings(record);
    pattern.atoms.push_back({std::move(any), ReadStrings(record)});
  }
  const uint32_t sets = record.Number();
  for (uint32_t i = 0; i < sets && record.is_complete(); ++i) {
    std::string fact = record.String();
    pattern.sets.emplace_back(std::move(fact), record.String());
  }
  pattern.captures = captures;
  return pattern;
}

void Write(const CaptureSpecs& captures, RecordWriter& record) {
  record.Number(static_cast<uint32_t>(captures.size()));
  for (const auto& [name, spec] : captures) {
    record.Text(name);
    record.Text(spec.fact);
    record.Number(static_cast<uint32_t>(spec.type));
    record.Text(spec.unit);
  }
}

std::shared_ptr<const CaptureSpecs> ReadCaptures(RecordReader& record) {
  auto captures = std::make_shared<CaptureSpecs>();
  const uint32_t count = record.Number();
  for (uint32_t i = 0; i < count && record.is_complete(); ++i) {
    std::string name = record.String();
    std::string fact = record.String();
    const auto type = static_cast<ValueType>(record.Number());
    (*captures)[std::move(name)] = {std::move(fact), type, record.String()};
  }
  return captures;
}

}  // namespace

// Causes and shared remedies, parsed when first asked for.
struct RuleSet::Lazy {
  template <typename T>
  struct Slot {
    std::once_flag once;
    absl::StatusOr<T> value = absl::UnknownError("not parsed");
  };
  explicit Lazy(size_t files) : causes(files), remedies(files), ways(files) {}
  std::vector<Slot<Cause>> causes;
  std::vector<Slot<SharedRemedy>> remedies;
  std::vector<Slot<Ways>> ways;
};

RuleSet::RuleSet() = default;
RuleSet::~RuleSet() = default;

absl::StatusOr<std::unique_ptr<RuleSet>> RuleSet::FromSources(
    const std::vector<SourceFile>& sources) {
  std::unique_ptr<RuleSet> rules(new RuleSet());
  RETURN_IF_ERROR(rules->AddFragments(sources));
  for (const SourceFile& source : sources) {
    if (IsFragments(source)) continue;
    const size_t before = rules->parsed_.size();
    RETURN_IF_ERROR(rules->Add(source));
    if (rules->parsed_.size() == before && !IsKnowledge(source.origin)) {
      return absl::InvalidArgumentError(
          Mistake(source.origin, source.text, "/id", "another file has the same id; rename one"));
    }
  }
  RETURN_IF_ERROR(rules->Finish());
  return rules;
}

absl::StatusOr<std::unique_ptr<RuleSet>> RuleSet::FromEmbedded(std::string_view bytes) {
  std::unique_ptr<RuleSet> rules(new RuleSet());
  RecordReader record(bytes);
  const uint32_t files = record.Number();
  for (uint32_t i = 0; i < files && record.is_complete(); ++i) {
    ParsedFile& parsed = rules->parsed_.emplace_back();
    parsed.file.id = record.String();
    parsed.file.origin = record.String();
    parsed.file.kind = static_cast<FileKind>(record.Number());
    parsed.file.group = record.String();
    parsed.file.is_stable = record.Number() != 0;
    parsed.file.unit_kind = record.String();
    parsed.file.text = record.Text();
    const std::shared_ptr<const CaptureSpecs> captures = ReadCaptures(record);
    const uint32_t patterns = record.Number();
    for (uint32_t p = 0; p < patterns && record.is_complete(); ++p) {
      parsed.roles.push_back(static_cast<PatternRole>(record.Number()));
      parsed.patterns.push_back(ReadPattern(record, captures));
    }
    parsed.file.pattern_count = static_cast<int>(patterns);
    const uint32_t derived = record.Number();
    for (uint32_t d = 0; d < derived && record.is_complete(); ++d) {
      DerivedFact& fact = parsed.derived.emplace_back();
      fact.fact = record.String();
      fact.type = static_cast<ValueType>(record.Number());
      fact.lookup = record.String();
      fact.arguments = ReadStrings(record);
    }
  }
  const uint32_t tables = record.Number();
  for (uint32_t i = 0; i < tables && record.is_complete(); ++i) {
    std::string name = record.String();
    rules->knowledge_[std::move(name)] = record.Text();
  }
  const uint32_t fragments = record.Number();
  for (uint32_t i = 0; i < fragments && record.is_complete(); ++i) {
    std::string name = record.String();
    rules->fragments_[std::move(name)] = record.String();
  }
  if (!record.is_complete())
    return absl::InternalError(
        "the embedded rules cannot be read; report this with the output of cudadoctor --version");
  return rules;
}

std::string RuleSet::Serialize() const {
  RecordWriter record;
  record.Number(static_cast<uint32_t>(files_.size()));
  for (const RuleFile& file : files_) {
    record.Text(file.id);
    record.Text(file.origin);
    record.Number(static_cast<uint32_t>(file.kind));
    record.Text(file.group);
    record.Number(file.is_stable);
    record.Text(file.unit_kind);
    record.Text(file.text);
    static const CaptureSpecs kNoCaptures;
    Write(file.pattern_count == 0 ? kNoCaptures : *patterns_[file.first_pattern].captures, record);
    record.Number(static_cast<uint32_t>(file.pattern_count));
    for (int i = file.first_pattern; i < file.first_pattern + file.pattern_count; ++i) {
      record.Number(static_cast<uint32_t>(owners_[i].role));
      Write(patterns_[i], record);
    }
    record.Number(static_cast<uint32_t>(file.derived_count));
    for (int i = file.first_derived; i < file.first_derived + file.derived_count; ++i) {
      record.Text(derived_[i].fact);
      record.Number(static_cast<uint32_t>(derived_[i].type));
      record.Text(derived_[i].lookup);
      Write(derived_[i].arguments, record);
    }
  }
  record.Number(static_cast<uint32_t>(knowledge_.size()));
  for (const auto& [name, text] : knowledge_) {
    record.Text(name);
    record.Text(text);
  }
  record.Number(static_cast<uint32_t>(fragments_.size()));
  for (const auto& [name, text] : fragments_) {
    record.Text(name);
    record.Text(text);
  }
  return record.Take();
}

absl::Status RuleSet::AddFragments(const std::vector<SourceFile>& sources) {
  const auto source = std::find_if(sources.begin(), sources.end(), IsFragments);
  if (source == sources.end()) return absl::OkStatus();
  ASSIGN_OR_RETURN(const Json json, ParseToml(source->text, source->origin));
  ASSIGN_OR_RETURN(Fragments fragments,
                   ParseFragments(json, source->text, source->origin, fragments_));
  for (const auto& [name, text] : fragments_)
    has_new_fragments_ = has_new_fragments_ || fragments[name] != text;
  fragments_ = std::move(fragments);
  return absl::OkStatus();
}

absl::Status RuleSet::Add(const SourceFile& source) {
  if (IsFragments(source)) return absl::OkStatus();
  ASSIGN_OR_RETURN(const Json json, ParseToml(source.text, source.origin));
  const std::string_view text = texts_.emplace_back(WriteJson(json));
  if (IsKnowledge(source.origin)) {
    knowledge_[KnowledgeName(source.origin)] = text;
    return absl::OkStatus();
  }
  const std::string_view toml = texts_.emplace_back(source.text);
  // A file that is built in as it stands has its patterns compiled already.
  const auto is_known = [&](const ParsedFile& known) {
    return !has_new_fragments_ && known.file.text == text && known.file.origin == source.origin;
  };
  const auto known_file = std::find_if(parsed_.begin(), parsed_.end(), is_known);
  if (known_file != parsed_.end()) {
    known_file->file.source = toml;
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(ParsedFile parsed, ParseRuleFile(json, toml, source.origin, fragments_));
  parsed.file.text = text;
  const auto same_id = [&](const ParsedFile& known) { return known.file.id == parsed.file.id; };
  parsed_.erase(std::remove_if(parsed_.begin(), parsed_.end(), same_id), parsed_.end());
  parsed_.push_back(std::move(parsed));
  return absl::OkStatus();
}

absl::Status RuleSet::Finish() {
  std::sort(parsed_.begin(), parsed_.end(),
            [](const ParsedFile& a, const ParsedFile& b) { return a.file.id < b.file.id; });
  for (ParsedFile& parsed : parsed_) {
    parsed.file.first_pattern = static_cast<int>(patterns_.size());
    for (size_t i = 0; i < parsed.patterns.size(); ++i) {
      patterns_.push_back(std::move(parsed.patterns[i]));
      owners_.push_back({static_cast<int>(files_.size()), parsed.roles[i]});
    }
    parsed.file.first_derived = static_cast<int>(derived_.size());
    parsed.file.derived_count = static_cast<int>(parsed.derived.size());
    derived_.insert(derived_.end(), parsed.derived.begin(), parsed.derived.end());
    files_.push_back(std::move(parsed.file));
  }
  parsed_.clear();
  matcher_ = std::make_unique<Matcher>(patterns_);
  lazy_ = std::make_unique<Lazy>(files_.size());
  return absl::OkStatus();
}

const RuleFile* RuleSet::Find(std::string_view id) const {
  const auto found = std::lower_bound(
      files_.begin(), files_.end(), id,
      [](const RuleFile& file, std::string_view wanted) { return file.id < wanted; });
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
    return absl::InvalidArgumentError(
        absl::StrCat("no shared remedy \"", Absl(id), "\" in rules/remedies"));
  }
  Lazy::Slot<SharedRemedy>& slot = lazy_->remedies[file - files_.data()];
  std::call_once(slot.once, [&] { slot.value = ParseSharedRemedy(*file); });
  RETURN_IF_ERROR(slot.value.status());
  return &*slot.value;
}

absl::StatusOr<const Ways*> RuleSet::WaysOf(std::string_view tool) const {
  const RuleFile* file = Find(tool);
  if (file == nullptr || file->kind != FileKind::kFacts) return nullptr;
  Lazy::Slot<Ways>& slot = lazy_->ways[file - files_.data()];
  std::call_once(slot.once, [&] { slot.value = ParseWays(*file); });
  RETURN_IF_ERROR(slot.value.status());
  return slot.value->empty() ? nullptr : &*slot.value;
}

std::string_view RuleSet::KnowledgeText(std::string_view name) const {
  const auto found = knowledge_.find(name);
  return found == knowledge_.end() ? std::string_view() : found->second;
}

}  // namespace cudadoctor

// rules/rule_set.h: all rules of a session.
#ifndef CUDADOCTOR_RULES_RULE_SET_H_
#define CUDADOCTOR_RULES_RULE_SET_H_

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "match/matcher.h"
#include "rules/parse.h"
#include "rules/rule.h"

namespace cudadoctor {

// A file as it is read: where it lies below rules/ ("toolkit/cuda-toolkit-missing.toml") and its
// text, TOML.
struct SourceFile {
  std::string origin;
  std::string text;
};

// Rules have no order: the same files give the same answers in whatever order they come.
// Immutable once made; threads may share it. A cause is parsed when it is first asked for.
class RuleSet {
 public:
  // The rules and tables that are built into the program, each file of `overlay` replacing the one
  // with the same id (knowledge tables: the same name) or adding to them. Fragments of `overlay`
  // are for its own files. Errors: kInvalidArgument, a file of `overlay` is not a valid rule; the
  // message has the file, the line and a caret, see toml/toml.h.
  static absl::StatusOr<std::unique_ptr<RuleSet>> Create(
      const std::vector<SourceFile>& overlay = {});

  // A rule set of `sources` alone.
  static absl::StatusOr<std::unique_ptr<RuleSet>> FromSources(
      const std::vector<SourceFile>& sources);

  ~RuleSet();

  const std::vector<RuleFile>& files() const { return files_; }  // sorted by id
  const std::vector<Pattern>& patterns() const { return patterns_; }
  const std::vector<PatternOwner>& owners() const { return owners_; }  // of each pattern
  const std::vector<DerivedFact>& derived() const { return derived_; }
  const Matcher& matcher() const { return *matcher_; }

  // The file with this id, or nullptr.
  const RuleFile* Find(std::string_view id) const;

  // The cause of a file whose kind is kCause.
  // Errors: those of Create.
  absl::StatusOr<const Cause*> CauseOf(int file) const;
  absl::StatusOr<const SharedRemedy*> SharedRemedyOf(std::string_view id) const;

  // What rules/ways/TOOL.toml says of the projects that a tool keeps; nullptr for one that has no
  // such file.
  absl::StatusOr<const Ways*> WaysOf(std::string_view tool) const;

  // The table rules/knowledge/NAME.toml as JSON text, or nothing.
  std::string_view KnowledgeText(std::string_view name) const;

  // The parts of expressions that patterns may name: rules/fragments.toml.
  const Fragments& fragments() const { return fragments_; }

  // The form that the build embeds; Create reads it.
  std::string Serialize() const;

 private:
  struct Lazy;

  RuleSet();
  static absl::StatusOr<std::unique_ptr<RuleSet>> FromEmbedded(std::string_view bytes);
  absl::Status AddFragments(const std::vector<SourceFile>& sources);
  absl::Status Add(const SourceFile& source);
  absl::Status Finish();

  std::vector<ParsedFile> parsed_;  // before their patterns are numbered
  std::vector<RuleFile> files_;
  std::vector<Pattern> patterns_;
  std::vector<PatternOwner> owners_;
  std::vector<DerivedFact> derived_;
  std::map<std::string, std::string_view, std::less<>> knowledge_;
  Fragments fragments_;
  bool has_new_fragments_ = false;  // of one that is built in
  std::deque<std::string> texts_;   // of files that are not embedded
  std::unique_ptr<Matcher> matcher_;
  std::unique_ptr<Lazy> lazy_;
};

}  // namespace cudadoctor

#endif  // CUDADOCTOR_RULES_RULE_SET_H_

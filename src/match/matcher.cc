#include "match/matcher.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/views.h"
#include "re2/re2.h"

namespace cudadoctor {

struct Matcher::Expression {
  int pattern = 0;
  int variant = 0;
  std::once_flag compiled;
  std::unique_ptr<RE2> re2;
  std::vector<std::pair<int, const CaptureSpec*>> groups;  // group number, what it becomes
};

namespace {

// All words, or only those of patterns that open a closer look.
std::vector<std::string> Words(absl::Span<const Pattern> patterns, bool candidates_only) {
  std::vector<std::string> words;
  for (const Pattern& pattern : patterns) {
    if (candidates_only && pattern.is_nearby) continue;
    for (const Atoms& atoms : pattern.atoms)
      words.insert(words.end(), atoms.any.begin(), atoms.any.end());
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

std::unique_ptr<RE2> Compile(const std::string& regex) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(2 << 20);
  return std::make_unique<RE2>(regex, options);
}

}  // namespace

Matcher::Matcher(absl::Span<const Pattern> patterns)
    : patterns_(patterns), candidates_(Words(patterns, true)), all_(Words(patterns, false)) {
  const std::vector<std::string> words = Words(patterns, false);
  expressions_of_atom_.resize(words.size());
  for (size_t p = 0; p < patterns.size(); ++p) {
    for (size_t v = 0; v < patterns[p].regexes.size(); ++v) {
      const int index = static_cast<int>(expressions_.size());
      auto expression = std::make_unique<Expression>();
      expression->pattern = static_cast<int>(p);
      expression->variant = static_cast<int>(v);
      expressions_.push_back(std::move(expression));
      for (const std::string& atom : patterns[p].atoms[v].any) {
        expressions_of_atom_[std::lower_bound(words.begin(), words.end(), atom) - words.begin()]
            .push_back(index);
      }
      if (patterns[p].atoms[v].any.empty()) without_atoms_.push_back(index);
    }
  }
}

Matcher::~Matcher() = default;

absl::Status Matcher::MatchText(std::string_view text, size_t first_text_bytes,
                                bool candidates_only, std::vector<Match>& matches) const {
  thread_local std::vector<int> atoms;
  thread_local std::vector<int> chosen;
  chosen.clear();
  all_.FindAll(text, atoms);
  for (const int atom : atoms) {
    const std::vector<int>& of_atom = expressions_of_atom_[atom];
    chosen.insert(chosen.end(), of_atom.begin(), of_atom.end());
  }
  const bool is_rejoined = first_text_bytes < text.size();
  if (!candidates_only && !is_rejoined)
    chosen.insert(chosen.end(), without_atoms_.begin(), without_atoms_.end());
  if (chosen.empty()) return absl::OkStatus();
  const std::string lower = absl::AsciiStrToLower(Absl(text));
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  for (const int index : chosen) {
    const int pattern = expressions_[index]->pattern;
    if (candidates_only && patterns_[pattern].is_nearby) continue;
    const std::vector<std::string>& words =
        patterns_[pattern].atoms[expressions_[index]->variant].all;
    const auto is_there = [&lower](const std::string& word) {
      return lower.find(word) != std::string::npos;
    };
    if (!std::all_of(words.begin(), words.end(), is_there)) continue;
    // A message that one variant has matched is not looked at for the others.
    const auto is_same = [pattern](const Match& match) { return match.pattern == pattern; };
    if (std::any_of(matches.begin(), matches.end(), is_same)) continue;
    if (absl::Status status = TryExpression(index, text, first_text_bytes, matches); !status.ok())
      return status;
  }
  return absl::OkStatus();
}

absl::Status Matcher::TryExpression(int index, std::string_view text, size_t first_text_bytes,
                                    std::vector<Match>& matches) const {
  Expression& expression = *expressions_[index];
  const Pattern& pattern = patterns_[expression.pattern];
  std::call_once(expression.compiled, [&] {
    expression.re2 = Compile(pattern.regexes[expression.variant]);
    for (const auto& [name, group] : expression.re2->NamedCapturingGroups()) {
      if (pattern.captures == nullptr) break;
      const auto spec = pattern.captures->find(name);
      if (spec != pattern.captures->end()) expression.groups.emplace_back(group, &spec->second);
    }
  });
  const RE2& re2 = *expression.re2;
  if (!re2.ok())
    return absl::ResourceExhaustedError(absl::StrCat("pattern ", pattern.name, ": ", re2.error()));

  std::vector<re2::StringPiece> groups(1 + re2.NumberOfCapturingGroups());
  const re2::StringPiece subject(text.data(), text.size());
  if (!re2.Match(subject, 0, subject.size(), RE2::UNANCHORED, groups.data(),
                 static_cast<int>(groups.size()))) {
    return absl::OkStatus();
  }
  const size_t begin = groups[0].data() - text.data();
  const bool is_rejoined = first_text_bytes < text.size();
  if (is_rejoined && (begin >= first_text_bytes || begin + groups[0].size() <= first_text_bytes))
    return absl::OkStatus();

  Match match;
  match.pattern = expression.pattern;
  match.column = static_cast<int>(begin) + 1;
  match.length = groups[0].size();
  match.is_cut = text.size() > kMaxEvidenceBytes;
  size_t end = std::min(text.size(), kMaxEvidenceBytes);
  while (match.is_cut && end > 0 && (text[end] & 0xC0) == 0x80) --end;
  match.text = std::string(text.substr(0, end));
  for (const auto& [group, spec] : expression.groups) {
    const re2::StringPiece raw = groups[group];
    if (raw.data() == nullptr) continue;
    std::optional<std::string> value =
        Normalize(spec->type, absl::StrCat(absl::string_view(raw.data(), raw.size()), spec->unit));
    if (value.has_value()) match.captures.push_back({spec->fact, spec->type, *std::move(value)});
  }
  for (const auto& [fact, value] : pattern.sets) {
    const ValueType type = value == "yes" ? ValueType::kFlag : ValueType::kWord;
    match.captures.push_back({fact, type, value});
  }
  matches.push_back(std::move(match));
  return absl::OkStatus();
}

}  // namespace cudadoctor

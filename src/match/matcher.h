// match/matcher.h: which patterns fire in one logical line.
#ifndef CUDADOCTOR_MATCH_MATCHER_H_
#define CUDADOCTOR_MATCH_MATCHER_H_

#include <memory>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "match/atoms.h"
#include "match/pattern.h"

namespace cudadoctor {

// Tests the patterns whose words are in a line; an expression is compiled when its word is first
// met. Threads may share one Matcher.
class Matcher {
 public:
  // Keeps a reference to `patterns`, whose atoms are filled in.
  explicit Matcher(absl::Span<const Pattern> patterns);
  ~Matcher();
  Matcher(const Matcher&) = delete;  // owns compiled expressions
  Matcher& operator=(const Matcher&) = delete;

  // Finds the words of those patterns that are not `is_nearby`: what opens a closer look.
  const AtomScanner& candidates() const { return candidates_; }

  // Appends a match for each pattern that fires in `text` and is not among `matches` yet; with
  // `candidates_only`, patterns that are `is_nearby` are left out. `first_text_bytes` limits where
  // a match may begin, and a match must reach beyond it when it is smaller than the text: for
  // rejoined lines, whose first raw line is that long; patterns without words are not tested on
  // those. Only pattern, column, length, text and captures are filled in. Errors:
  // kResourceExhausted, an expression could not be compiled within its memory.
  absl::Status MatchText(std::string_view text, size_t first_text_bytes, bool candidates_only,
                         std::vector<Match>& matches) const;

  absl::Span<const Pattern> patterns() const { return patterns_; }

 private:
  struct Expression;
  struct Scratch;

  absl::Status TryExpression(int index, std::string_view text, size_t first_text_bytes,
                             std::vector<Match>& matches) const;

  absl::Span<const Pattern> patterns_;
  std::vector<std::unique_ptr<Expression>> expressions_;
  std::vector<std::vector<int>> expressions_of_atom_;  // by index in `all_`
  std::vector<int> without_atoms_;
  AtomScanner candidates_;
  AtomScanner all_;
};

}  // namespace cudadoctor

#endif  // CUDADOCTOR_MATCH_MATCHER_H_

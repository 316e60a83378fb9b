// redact/expression.h: regular expressions over bytes: a file's name need not be UTF-8.
#ifndef CUDADOCTOR_REDACT_EXPRESSION_H_
#define CUDADOCTOR_REDACT_EXPRESSION_H_

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "re2/re2.h"

namespace cudadoctor {

// Where `part` of `text` begins and ends.
inline size_t Begin(std::string_view text, std::string_view part) {
  return static_cast<size_t>(part.data() - text.data());
}
inline size_t End(std::string_view text, std::string_view part) {
  return Begin(text, part) + part.size();
}

// Immutable: threads may share one.
class Expression {
 public:
  explicit Expression(std::string_view text)
      : re2_(re2::StringPiece(text.data(), text.size()), RE2::Latin1) {}

  bool MatchesWhole(std::string_view text) const {
    return RE2::FullMatch(re2::StringPiece(text.data(), text.size()), re2_);
  }

  bool Finds(std::string_view text) const {
    return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), re2_);
  }

  // Calls `take` with the groups of every match; it says from which byte on to search.
  template <typename Take>
  void ForEachMatch(std::string_view text, const Take& take) const {
    const re2::StringPiece piece(text.data(), text.size());
    const int count = re2_.NumberOfCapturingGroups() + 1;
    std::vector<re2::StringPiece> groups(static_cast<size_t>(count));
    std::vector<std::string_view> views(groups.size());
    for (size_t at = 0; at <= text.size() && re2_.Match(piece, at, text.size(), RE2::UNANCHORED,
                                                        groups.data(), count);) {
      for (size_t i = 0; i < groups.size(); ++i) views[i] = {groups[i].data(), groups[i].size()};
      at = std::max(take(views), at + 1);
    }
  }

 private:
  const RE2 re2_;
};

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REDACT_EXPRESSION_H_

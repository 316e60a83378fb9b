// match/pattern.h: what is looked for in a log, and what was found.
#ifndef CUDADOCTOR_MATCH_PATTERN_H_
#define CUDADOCTOR_MATCH_PATTERN_H_

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "match/atoms.h"
#include "model/value.h"

namespace cudadoctor {

// What a named group becomes.
struct CaptureSpec {
  std::string fact;
  ValueType type = ValueType::kText;
  std::string unit = {};  // of a size whose figure stands alone in the text: "GiB"
};

using CaptureSpecs = std::map<std::string, CaptureSpec>;

struct Pattern {
  std::string name;                  // unique within its rule
  std::vector<std::string> regexes;  // RE2: the variants of one message
  std::vector<Atoms> atoms;          // of each regex
  bool is_nearby = false;            // tested only at a log's ends and near other matches
  std::shared_ptr<const CaptureSpecs> captures;  // by group name; shared by the patterns of a file
  std::vector<std::pair<std::string, std::string>> sets;  // facts with fixed values
};

struct Capture {
  std::string fact;
  ValueType type = ValueType::kText;
  std::string value;  // in the type's normal form
};

// One firing of one pattern. Owns its strings.
struct Match {
  int pattern = 0;         // index into the patterns given to the Matcher
  int64_t first_line = 0;  // 1-based raw line on which the matched logical line begins
  int64_t last_line = 0;   // inclusive
  int column = 0;          // 1-based byte of the cleaned line where the match begins
  size_t length = 0;       // bytes of the match
  std::string text;        // the logical line, at most kMaxEvidenceBytes
  bool is_cut = false;     // `text` was longer
  std::string stream;      // see text/dress.h
  bool is_foreign = false;
  std::vector<Capture> captures;  // a value that does not fit its type is left out
};

inline constexpr size_t kMaxEvidenceBytes = 2000;

}  // namespace cudadoctor

#endif  // CUDADOCTOR_MATCH_PATTERN_H_

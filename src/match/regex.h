// match/regex.h: one regular expression against one value, for conditions and checks of rules.
#ifndef CUDADOCTOR_MATCH_REGEX_H_
#define CUDADOCTOR_MATCH_REGEX_H_

#include <string>
#include <vector>

namespace cudadoctor {

// Whether `regex` (RE2) matches somewhere in `text`. An expression that is not valid matches
// nothing.
bool RegexFinds(const std::string& regex, const std::string& text);

// The names of the groups of a valid expression.
std::vector<std::string> GroupNames(const std::string& regex);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_MATCH_REGEX_H_

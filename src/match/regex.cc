#include "match/regex.h"

#include "re2/re2.h"

namespace cudadoctor {

bool RegexFinds(const std::string& regex, const std::string& text) {
  RE2::Options options;
  options.set_log_errors(false);
  const RE2 re2(regex, options);
  return re2.ok() && RE2::PartialMatch(text, re2);
}

std::vector<std::string> GroupNames(const std::string& regex) {
  RE2::Options options;
  options.set_log_errors(false);
  const RE2 re2(regex, options);
  std::vector<std::string> names;
  for (const auto& [name, group] : re2.NamedCapturingGroups()) names.push_back(name);
  return names;
}

}  // namespace cudadoctor

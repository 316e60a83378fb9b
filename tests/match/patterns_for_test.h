// match/patterns_for_test.h: patterns made in a test.
#ifndef CUDADOCTOR_TESTS_MATCH_PATTERNS_FOR_TEST_H_
#define CUDADOCTOR_TESTS_MATCH_PATTERNS_FOR_TEST_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "match/atoms.h"
#include "match/pattern.h"

namespace cudadoctor {

inline Pattern MakePattern(const std::string& name, const std::vector<std::string>& regexes,
                           CaptureSpecs captures = {}, bool is_nearby = false) {
  Pattern pattern;
  pattern.name = name;
  pattern.regexes = regexes;
  pattern.is_nearby = is_nearby;
  pattern.captures = std::make_shared<const CaptureSpecs>(std::move(captures));
  for (const std::string& regex : regexes) {
    const absl::StatusOr<Atoms> atoms = ExtractAtoms(regex, is_nearby);
    EXPECT_TRUE(atoms.ok()) << regex << ": " << atoms.status();
    pattern.atoms.push_back(atoms.ok() ? *atoms : Atoms{});
  }
  return pattern;
}

}  // namespace cudadoctor

#endif  // CUDADOCTOR_TESTS_MATCH_PATTERNS_FOR_TEST_H_

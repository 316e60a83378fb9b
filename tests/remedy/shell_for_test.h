#ifndef CUDADOCTOR_TESTS_REMEDY_SHELL_FOR_TEST_H_
#define CUDADOCTOR_TESTS_REMEDY_SHELL_FOR_TEST_H_

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "gtest/gtest.h"

namespace cudadoctor {

// What a real shell prints for `script`.
inline std::string RunShell(const std::string& script) {
  // The script travels in a variable, so that this test quotes nothing itself.
  setenv("CUDADOCTOR_TEST_SCRIPT", script.c_str(), 1);
  FILE* pipe = popen("sh -c \"$CUDADOCTOR_TEST_SCRIPT\"", "r");
  std::string output;
  std::array<char, 4096> buffer;
  for (size_t size = 0; (size = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    output.append(buffer.data(), size);
  EXPECT_EQ(pclose(pipe), 0) << script;
  return output;
}

}  // namespace cudadoctor

#endif  // CUDADOCTOR_TESTS_REMEDY_SHELL_FOR_TEST_H_

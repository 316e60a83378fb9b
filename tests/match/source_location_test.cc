#include "match/source_location.h"

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

TEST(FindSourceLocationTest, FormsOfTools) {
  const struct {
    const char* name;
    const char* text;
    const char* file;  // "" for nothing
    int line;
    int column;
  } rows[] = {
      {"gcc", "csrc/scan.cu:12:5: error: 'x' was not declared", "csrc/scan.cu", 12, 5},
      {"gcc, include", "/usr/include/c++/14/cmath:45:23: fatal", "", 0, 0},
      {"a blank in the path", "/tmp/h/a b.cu:3:7: error: x", "/tmp/h/a b.cu", 3, 7},
      {"a blank in the path, Windows", "C:\\a b\\x.cpp(3,10): error", "C:\\a b\\x.cpp", 3, 10},
      {"no column", "src/a.cpp:7: error: x", "src/a.cpp", 7, 0},
      {"nvcc", "/tmp/pip-x/csrc/a_b.cuh(130): error: identifier", "/tmp/pip-x/csrc/a_b.cuh", 130,
       0},
      {"msvc", "C:\\src\\ext.cpp(3,10): fatal error C1083: Cannot open", "C:\\src\\ext.cpp", 3, 10},
      {"edg", "\"csrc/a.cu\", line 9: error: x", "csrc/a.cu", 9, 0},
      {"python", "File \"setup.py\", line 40, in <module>", "setup.py", 40, 0},
      {"python with blanks", "File \"/a b/setup.py\", line 4", "/a b/setup.py", 4, 0},
      {"cmake", "CMake Error at CMakeLists.txt:31 (find_package):", "CMakeLists.txt", 31, 0},
      {"in a sentence", "In file included from csrc/x.cpp:3:", "csrc/x.cpp", 3, 0},
      {"a version", "torch 2.10.0: not found", "", 0, 0},
      {"a time", "12:30:11: error", "", 0, 0},
      {"a host and port", "Max retries exceeded: files.example.org:443 (x)", "", 0, 0},
      {"none", "RuntimeError: The detected CUDA version (13.1) mismatches", "", 0, 0},
      {"line zero", "a.cu:0: error", "", 0, 0},
  };
  for (const auto& row : rows) {
    const std::optional<SourceLocation> found = FindSourceLocation(row.text);
    ASSERT_EQ(found.has_value(), *row.file != '\0') << row.name;
    if (!found.has_value()) continue;
    EXPECT_EQ(found->file, row.file) << row.name;
    EXPECT_EQ(found->line, row.line) << row.name;
    EXPECT_EQ(found->column, row.column) << row.name;
  }
}

}  // namespace
}  // namespace cudadoctor

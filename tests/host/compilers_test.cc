#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "host/subjects.h"
#include "recorded_machine.h"

namespace cudadoctor {
namespace {

TEST(ProbeCompilersTest, TheOneThatNvccTakes) {
  const std::string gcc =
      "@@ env PATH=/usr/bin\n@@ program /usr/bin/g++\n@@ folder "
      "/usr/lib/gcc/x86_64-redhat-linux/14\n";
  struct Row {
    const char* name;
    std::string tree;
    std::string facts;
  };
  const Row rows[] = {
      {"none", "", ""},
      {"of PATH", gcc, "gcc_version 14 | /usr/bin/g++\ncompiler_path /usr/bin/g++ | PATH"},
      {"a cross compiler beside it",
       gcc + "@@ folder /usr/lib/gcc/x86_64-w64-mingw32/12-posix\n"
             "@@ run 0 /usr/bin/g++ -dumpfullversion -dumpversion\n"
             "14.2.1\n",
       "gcc_version 14.2.1 | /usr/bin/g++\ncompiler_path /usr/bin/g++ | PATH"},
      {"the order of variables",
       gcc + "@@ env CC=/opt/cc\n@@ program /opt/cc\n"
             "@@ env CUDAHOSTCXX=/opt/g++-11\n@@ program /opt/g++-11\n",
       "gcc_version 11 | /opt/g++-11\ncompiler_path /opt/g++-11 | CUDAHOSTCXX"},
      {"a folder for nvcc",
       gcc + "@@ env NVCC_CCBIN=/opt/bin\n@@ program /opt/bin/g++\n"
             "@@ folder /opt/lib/gcc/x86_64-linux-gnu/12.3.0\n",
       "gcc_version 12.3.0 | /opt/bin/g++\ncompiler_path /opt/bin/g++ | NVCC_CCBIN"},
      {"a variable that leads nowhere", gcc + "@@ env CXX=/none/g++\n",
       "gcc_version 14 | /usr/bin/g++\ncompiler_path /usr/bin/g++ | PATH"},
      {"conda's",
       "@@ env CXX=/c/bin/x86_64-conda-linux-gnu-c++\n"
       "@@ program /c/bin/x86_64-conda-linux-gnu-c++\n"
       "@@ folder /c/lib/gcc/x86_64-conda-linux-gnu/13.3.0\n",
       "gcc_version 13.3.0 | /c/bin/x86_64-conda-linux-gnu-c++\n"
       "compiler_path /c/bin/x86_64-conda-linux-gnu-c++ | CXX"},
      {"tools", "@@ env PATH=/usr/bin\n@@ program /usr/bin/cmake\n@@ program /usr/bin/ninja\n",
       "cmake_path /usr/bin/cmake | PATH\nninja_path /usr/bin/ninja | PATH"},
      {"no compilers", "@@ program /usr/bin/g++-mcpu\n@@ file /usr/bin/g++-12\n", ""},
  };
  for (const Row& row : rows) {
    const RecordedMachine recorded(row.tree);
    ASSERT_TRUE(recorded.mistakes().empty()) << row.name;
    EXPECT_EQ(absl::StrJoin(Listed(ProbeCompilers(Machine(recorded.sources()))), "\n"), row.facts)
        << row.name;
  }
}

}  // namespace
}  // namespace cudadoctor

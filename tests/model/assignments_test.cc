#include "model/assignments.h"

#include <string>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

TEST(AssignmentsEndTest, IsWhereTheCommandBegins) {
  const struct {
    const char* before;
    const char* command;
  } rows[] = {
      {"", "pip install torch==2.10.0"},
      {"", "A"},
      {"", ""},
      {"MAX_JOBS=4 ", "pip install x"},
      {"A=1  _b2= ", "make"},
      {"CXXFLAGS='-O1 -g' PATH=\"/a b:$PATH\" ", "make CC=gcc"},
      {"A=\"it's\" ", "make"},
      {"", "2A=1 make"},
      {"", "A-B=1 make"},
      {"", "=1 make"},
  };
  for (const auto& row : rows)
    EXPECT_EQ(AssignmentsEnd(std::string(row.before) + row.command), std::string(row.before).size())
        << row.before << row.command;
}

TEST(AssignmentsEndTest, NothingFollows) {
  for (const char* command : {"A=1", "A=1 ", "A=1 B='2", "A='1 pip install x"})
    EXPECT_EQ(AssignmentsEnd(command), 0u) << command;
}

TEST(IsVariableNameTest, Rows) {
  for (const char* name : {"A", "_", "MAX_JOBS", "a2"}) EXPECT_TRUE(IsVariableName(name)) << name;
  for (const char* name : {"", "2a", "A-B", "A B", "Ä"}) EXPECT_FALSE(IsVariableName(name)) << name;
}

}  // namespace
}  // namespace cudadoctor

#include "run/not_started.h"

#include <cerrno>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

TEST(WhyNotStartedTest, Table) {
  struct Row {
    const char* program;
    int error;
    int status;
    const char* reason;
  };
  const Row rows[] = {
      {"no-such-program", ENOENT, 127,
       "no-such-program: not found; check the name, and that PATH has its folder"},
      {"/none/such", ENOENT, 127, "/none/such: not found; name an existing program"},
      {"/etc/passwd/x", ENOTDIR, 127, "/etc/passwd/x: not found; name an existing program"},
      {"", ENOENT, 127, "\"\": not found; check the name, and that PATH has its folder"},
      // It is there, so what is missing is what it needs.
      {"/bin/sh", ENOENT, 126,
       "/bin/sh: the interpreter or loader that it names does not exist; correct its first line, "
       "or "
       "install that"},
      {"sh", ENOENT, 126,
       "sh: the interpreter or loader that it names does not exist; correct its first line, or "
       "install that"},
      {"/etc", EACCES, 126,
       "/etc: cannot be executed: permission denied; name a program, and make it executable with "
       "chmod +x"},
      {"sh", E2BIG, 126, "sh: cannot be executed: Argument list too long"},
  };
  for (const Row& row : rows) {
    const NotStarted why = WhyNotStarted(row.program, row.error);
    EXPECT_EQ(why.status, row.status) << row.program;
    EXPECT_EQ(why.reason, row.reason);
  }
}

}  // namespace
}  // namespace cudadoctor

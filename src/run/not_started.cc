#include "run/not_started.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace cudadoctor {
namespace {

bool IsPath(const std::string& program) { return program.find('/') != std::string::npos; }

bool Exists(const std::string& program) {
  if (IsPath(program)) return access(program.c_str(), F_OK) == 0;
  const char* path = std::getenv("PATH");
  for (const absl::string_view folder : absl::StrSplit(path == nullptr ? "" : path, ':')) {
    const std::string candidate = absl::StrCat(folder.empty() ? "." : folder, "/", program);
    if (access(candidate.c_str(), F_OK) == 0) return true;
  }
  return false;
}

}  // namespace

NotStarted WhyNotStarted(const std::string& program, int error) {
  const bool is_missing = error == ENOENT || error == ENOTDIR;
  if (is_missing && !program.empty() && Exists(program)) {
    return {126, absl::StrCat(program,
                              ": the interpreter or loader that it names does not exist; correct "
                              "its first line, or install that")};
  }
  if (is_missing) {
    return {127, absl::StrCat(program.empty() ? "\"\"" : program, ": not found; ",
                              IsPath(program) ? "name an existing program"
                                              : "check the name, and that PATH has its folder")};
  }
  if (error == EACCES) {
    return {126, absl::StrCat(program,
                              ": cannot be executed: permission denied; name a program, and make "
                              "it executable with chmod +x")};
  }
  return {126,
          absl::StrCat(program, ": cannot be executed: ", std::generic_category().message(error))};
}

}  // namespace cudadoctor

// remedy/dialect.h: a command of a rule, which is written for a POSIX shell, as it is typed where
// the user is.
#ifndef CUDADOCTOR_REMEDY_DIALECT_H_
#define CUDADOCTOR_REMEDY_DIALECT_H_

#include <optional>
#include <string>
#include <string_view>

#include "diagnose/resolver.h"

namespace cudadoctor {

// Where commands are typed. A Dockerfile and a notebook's cell are shells with a grammar of their
// own around them.
enum class Shell { kPosix, kFish, kCmd, kPowerShell, kNotebook, kDockerfile };

// The shell that the fact `shell` names; without it cmd.exe on Windows, else a POSIX shell.
Shell ShellOf(const Resolver& resolver);

// The value of the fact: "cmd", and "posix" for a POSIX shell.
std::string_view NameOf(Shell shell);

// `run` as it is typed in `shell`: its quotes, variables and paths, one line for each command where
// the shell needs it. Nothing where it cannot be said there: a program of Linux on Windows, a
// pipeline in cmd.exe. What a rule wrote for Windows stays as it is.
std::optional<std::string> InShell(std::string_view run, Shell shell);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REMEDY_DIALECT_H_

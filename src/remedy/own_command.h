// remedy/own_command.h: the user's command, repeated or not printed; it is never made up.
#ifndef CUDADOCTOR_REMEDY_OWN_COMMAND_H_
#define CUDADOCTOR_REMEDY_OWN_COMMAND_H_

#include <optional>
#include <string>
#include <vector>

#include "diagnose/resolver.h"
#include "remedy/shell.h"

namespace cudadoctor {

// What `words`, a command of pip or uv that installs, is asked to install: requirements, paths and
// URLs, an editable one with its "-e"; files of requirements are left out.
std::vector<std::string> TargetsOf(const std::vector<std::string>& words);

// What an installation of the package that a cause is about has to be asked for, as words of a
// shell, quoted: the words of the user's command, or of a log without a command the path or the URL
// that was processed, or the name where the log shows that it was asked of an index. Nothing where
// neither is known: the name alone may be another project's.
std::optional<std::string> PackageSpec(const Resolver& resolver);

// Whether the package that a cause is about was asked for by its path or URL.
bool IsAskedByPlace(const Resolver& resolver);

// The user's own command, as the log or the wrapper shows it; of a log without one, an installation
// with pip or uv of PackageSpec. Nothing where neither can be told, or the command cannot be
// repeated whole.
std::optional<CommandLine> OwnCommand(const Resolver& resolver);

// Lets `command`, of make, ninja or cmake --build, start `jobs` jobs: changes -j, --jobs and
// --parallel, or adds one. False where it is another command.
bool SetJobs(const std::string& jobs, CommandLine& command);

// Adds `word` to a command. It takes the place of one that says the same with another value: of
// -DNAME=, --option= and NAME= the one with that name, of a requirement (ninja==1.13.2, ninja) the
// one of that package.
void SetWord(std::string word, CommandLine& command);

// `run`, a command of a remedy, with the index that the log used where it installs with pip or uv
// and names none: the options or variables of the user's command, or what pip said that it looks
// in. Indexes of some packages only (PyTorch's) and the public one, which is the default, are not
// added.
std::string WithIndex(std::string run, const Resolver& resolver);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REMEDY_OWN_COMMAND_H_

// remedy/retry.h: a failed command once more, with other variables.
#ifndef CUDADOCTOR_REMEDY_RETRY_H_
#define CUDADOCTOR_REMEDY_RETRY_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/environment.h"
#include "knowledge/knowledge.h"
#include "model/report.h"

namespace cudadoctor {

using Assignments = std::vector<std::pair<std::string, std::string>>;

struct RetryPlan {
  std::string title;  // of the remedy
  Assignments env;    // what changes, with complete values
};

// What may be tried without asking anyone: the first diagnosis is a certain root, its preferred
// remedy does nothing but set variables that choose how to build (how many jobs and threads, which
// installed toolkit, which architectures, by the variables of all builds and of `knowledge`'s
// packages, which folder for temporary files), and at least one of them gets another value than
// `environment`, that of the failed command, has. Errors: kFailedPrecondition, there is nothing of
// the kind; the text says why.
absl::StatusOr<RetryPlan> PlanRetry(const Report& report, const Knowledge& knowledge,
                                    const Environment& environment);

// A command that worked, for next time.
struct Recipe {
  std::string shell;       // one line, for bash and zsh where an argument is no plain text
  std::string dockerfile;  // a RUN line; empty where sh could not read it
  std::vector<std::string> hidden;
  std::string uv;  // a part of pyproject.toml; empty for other tools and unnamed packages
};

// `env` is what was set in front of `command`, `package` what it built. Arguments are what they
// were: control characters and bytes that are not UTF-8 are written as $'\n' and $'\xff'. A
// credential is not: a variable stands for it, whose names `hidden` lists.
Recipe WriteRecipe(const Assignments& env, const std::vector<std::string>& command,
                   std::string_view package);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REMEDY_RETRY_H_

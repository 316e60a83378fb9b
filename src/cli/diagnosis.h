// cli/diagnosis.h: what diagnosing a log and running a command share.
#ifndef CUDADOCTOR_CLI_DIAGNOSIS_H_
#define CUDADOCTOR_CLI_DIAGNOSIS_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/environment.h"
#include "cli/input.h"
#include "model/fact.h"
#include "model/report.h"

namespace cudadoctor {

// Calls a function with all bytes of a log, a second time.
using ReadAgain = std::function<absl::Status(const TakeBytes&)>;

// Fills in the neighbourhood of what `report` quotes.
// Errors: those of `read`.
absl::Status AddExcerpts(const ReadAgain& read, Report& report);

// Where the facts of the log's machine come from, as --host says.
struct HostChoice {
  std::function<std::vector<Fact>()> facts;  // empty: no facts
  bool is_local = false;                     // of this machine, which need not be the log's
};

// `host` is auto, local, none or a JSON file; auto is local where the log is made now (`is_live`: a
// pipe, a command that is run), else none. `environment` is what the log's command gets.
// Errors: those of ReadSmallFile and ParseHostFacts.
absl::StatusOr<HostChoice> ChooseHost(const std::string& host, bool is_live,
                                      const Environment& environment = ProcessEnvironment);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_CLI_DIAGNOSIS_H_

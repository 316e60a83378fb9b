// cli/diagnosis.h: what diagnosing a log and running a command share.
#ifndef CUDADOCTOR_CLI_DIAGNOSIS_H_
#define CUDADOCTOR_CLI_DIAGNOSIS_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cli/input.h"
#include "model/fact.h"
#include "model/report.h"

namespace cudadoctor {

// Calls a function with all bytes of a log, a second time.
using ReadAgain = std::function<absl::Status(const TakeBytes&)>;

// Fills in the neighbourhood of what `report` quotes.
// Errors: those of `read`.
absl::Status AddExcerpts(const ReadAgain& read, Report& report);

// The facts that --host names: "none", or a JSON file.
// Errors: those of ReadSmallFile and ParseHostFacts.
absl::StatusOr<std::vector<Fact>> ReadHost(const std::string& host);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_CLI_DIAGNOSIS_H_

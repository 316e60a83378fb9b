#include "cli/diagnosis.h"

#include <utility>

#include "base/status_macros.h"
#include "engine/excerpts.h"
#include "host/host_facts.h"
#include "host/probe.h"

namespace cudadoctor {
namespace {

// Lines before and after each line of evidence that a report with the log shows.
constexpr int kLinesAround = 40;

}  // namespace

absl::Status AddExcerpts(const ReadAgain& read, Report& report) {
  std::vector<int64_t> wanted;
  for (const Diagnosis& diagnosis : report.diagnoses) {
    for (const Evidence& evidence : diagnosis.evidence) {
      wanted.push_back(evidence.line);
      wanted.push_back(evidence.last_line);
    }
    for (const Symptom& symptom : diagnosis.symptoms) wanted.push_back(symptom.line);
  }
  ExcerptReader reader(wanted, kLinesAround);
  RETURN_IF_ERROR(read([&reader](std::string_view bytes) {
    reader.Feed(bytes);
    return absl::OkStatus();
  }));
  for (LineRun& run : reader.Finish())
    report.excerpts.push_back({run.first_line, std::move(run.lines)});
  return absl::OkStatus();
}

absl::StatusOr<HostChoice> ChooseHost(const std::string& host, bool is_live,
                                      const Environment& environment) {
  if (host == "none" || (host == "auto" && !is_live)) return HostChoice{};
  if (host == "auto" || host == "local")
    return HostChoice{[environment] {
                        HostSources sources = LocalSources();
                        sources.environment = [environment](const std::string& name) {
                          return environment(name).value_or("");
                        };
                        return ProbeHost(sources);
                      },
                      /*is_local=*/host == "auto"};
  ASSIGN_OR_RETURN(const std::string text, ReadSmallFile(host));
  ASSIGN_OR_RETURN(const std::vector<Fact> facts, ParseHostFacts(text, host));
  return HostChoice{[facts] { return facts; }, /*is_local=*/false};
}

}  // namespace cudadoctor

#include <unistd.h>

#include <memory>
#include <utility>

#include "base/status_macros.h"
#include "base/views.h"
#include "cli/commands.h"
#include "cli/diagnosis.h"
#include "cli/input.h"
#include "engine/session.h"
#include "redact/report.h"
#include "report/bundle.h"

namespace cudadoctor {
namespace {

// Diagnoses the log that `first` gives, and adds from `again` what is around its deciding lines.
// What came before a cut is still worth an answer; `cut` says where one was.
absl::StatusOr<Report> ReportOf(const RuleSet& rules, SessionOptions options,
                                const ReadAgain& first, const ReadAgain& again, absl::Status& cut) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Session> session,
                   Session::Create(rules, std::move(options)));
  const absl::Status status =
      first([&session](std::string_view bytes) { return session->Feed(bytes); });
  if (!status.ok() && !absl::IsDataLoss(status)) return status;
  cut = status;
  ASSIGN_OR_RETURN(Report report, session->Finish(std::nullopt));
  const absl::Status read = AddExcerpts(again, report);
  if (!read.ok() && !absl::IsDataLoss(read)) return read;
  return report;
}

absl::StatusOr<Report> ReportOfFile(const RuleSet& rules, SessionOptions options,
                                    const std::string& path, absl::Status& cut) {
  const ReadAgain read = [&path](const TakeBytes& take) { return ReadLogFile(path, take); };
  return ReportOf(rules, std::move(options), read, read, cut);
}

absl::StatusOr<Report> ReportOfPipe(const RuleSet& rules, SessionOptions options,
                                    absl::Status& cut) {
  ASSIGN_OR_RETURN(LogCopy copy, LogCopy::Create());
  const ReadAgain first = [&copy](const TakeBytes& take) {
    return ReadDescriptor(STDIN_FILENO, [&](std::string_view bytes) {
      RETURN_IF_ERROR(copy.Append(bytes));
      return take(bytes);
    });
  };
  const ReadAgain again = [&copy](const TakeBytes& take) { return copy.Read(take); };
  return ReportOf(rules, std::move(options), first, again, cut);
}

absl::Status Bundle(const RuleSet& rules, const BundleOptions& options, absl::Status& cut) {
  // Who passes a log on sits at its machine, unless the log says otherwise.
  ASSIGN_OR_RETURN(const HostChoice host, ChooseHost(options.host, /*is_live=*/true));
  const bool is_pipe = options.file.empty();
  SessionOptions session;
  session.input_name = is_pipe ? "-" : options.file;
  session.host_facts = host.facts;
  session.is_local_host = host.is_local;
  ASSIGN_OR_RETURN(Report report, is_pipe
                                      ? ReportOfPipe(rules, std::move(session), cut)
                                      : ReportOfFile(rules, std::move(session), options.file, cut));
  if (!options.shows_names) HidePeople({&report, 1});
  return WriteDescriptor(STDOUT_FILENO, RenderBundle(report));
}

}  // namespace

int RunBundle(const RuleSet& rules, const BundleOptions& options) {
  if (options.file.empty() && isatty(STDIN_FILENO) == 1) {
    PrintError("no input; name a log file, or pipe one: cudadoctor bundle build.log");
    return kUsage;
  }
  absl::Status cut;
  absl::Status status = Bundle(rules, options, cut);
  if (status.ok()) status = cut;
  if (status.ok()) return kNoFailure;
  PrintError(Std(status.message()));
  return kUnreadable;
}

}  // namespace cudadoctor

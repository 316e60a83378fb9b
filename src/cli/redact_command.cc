#include <unistd.h>

#include <string>

#include "base/status_macros.h"
#include "base/views.h"
#include "cli/commands.h"
#include "cli/diagnosis.h"
#include "cli/input.h"
#include "redact/log.h"

namespace cudadoctor {
namespace {

// What came before a cut is still worth showing.
absl::Status UnlessCut(const absl::Status& status) {
  return absl::IsDataLoss(status) ? absl::OkStatus() : status;
}

// `first` and `again` give the log; `cut` says where it ended too early.
absl::Status Redact(const ReadAgain& first, const ReadAgain& again, absl::Status& cut) {
  LogRedactor redactor([](std::string_view text) { return WriteDescriptor(STDOUT_FILENO, text); });
  cut = first([&redactor](std::string_view bytes) {
    redactor.Learn(bytes);
    return absl::OkStatus();
  });
  RETURN_IF_ERROR(UnlessCut(cut));
  redactor.EndLearning();
  RETURN_IF_ERROR(
      UnlessCut(again([&redactor](std::string_view bytes) { return redactor.Feed(bytes); })));
  return redactor.Finish();
}

absl::Status RedactPipe(absl::Status& cut) {
  ASSIGN_OR_RETURN(LogCopy copy, LogCopy::Create());
  return Redact(
      [&copy](const TakeBytes& take) {
        return ReadDescriptor(STDIN_FILENO, [&](std::string_view bytes) {
          RETURN_IF_ERROR(copy.Append(bytes));
          return take(bytes);
        });
      },
      [&copy](const TakeBytes& take) { return copy.Read(take); }, cut);
}

}  // namespace

int RunRedact(const std::string& file) {
  if (file.empty() && isatty(STDIN_FILENO) == 1) {
    PrintError("no input; name a log file, or pipe one: cudadoctor redact build.log");
    return kUsage;
  }
  const ReadAgain read = [&file](const TakeBytes& take) { return ReadLogFile(file, take); };
  absl::Status cut;
  absl::Status status = file.empty() ? RedactPipe(cut) : Redact(read, read, cut);
  if (status.ok()) status = cut;
  if (status.ok()) return kNoFailure;
  PrintError(Std(status.message()));
  return kUnreadable;
}

}  // namespace cudadoctor

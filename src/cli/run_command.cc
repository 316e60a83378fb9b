#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/views.h"
#include "cli/commands.h"
#include "cli/diagnosis.h"
#include "cli/input.h"
#include "engine/session.h"
#include "run/build_watch.h"
#include "run/command.h"
#include "run/quiet_line.h"
#include "run/status_line.h"
#include "run/terminal.h"

namespace cudadoctor {
namespace {

using Clock = std::chrono::steady_clock;

// Looking at the processes takes 20 microseconds for each that the machine runs: once a second, and
// seldom enough to take at most a fiftieth of one core where there are thousands.
constexpr std::chrono::seconds kBetweenSamples{1};
constexpr int kSampleShare = 50;
constexpr int kUnknownWidth = 80;

bool IsSameFile(int a, int b) {
  struct stat of_a, of_b;
  return fstat(a, &of_a) == 0 && fstat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
         of_a.st_ino == of_b.st_ino;
}

bool IsPipe(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}

// A terminal that nobody else writes to while we are in the foreground: other members of a pipeline
// would. A terminal without cursor movements shows their letters.
bool MayShowStatus(const RunOptions& options) {
  const char* terminal = std::getenv("TERM");
  return !options.output.is_quiet && isatty(STDERR_FILENO) == 1 && !IsPipe(STDIN_FILENO) &&
         !IsPipe(STDOUT_FILENO) && terminal != nullptr && *terminal != '\0' &&
         std::string_view(terminal) != "dumb" &&
         (isatty(STDOUT_FILENO) != 1 || IsSameFile(STDOUT_FILENO, STDERR_FILENO));
}

int TerminalWidth() {
  const std::optional<winsize> size = WindowSize(STDERR_FILENO);
  return size.has_value() && size->ws_col > 0 ? size->ws_col : kUnknownWidth;
}

class CommandRun {
 public:
  CommandRun(const RuleSet& rules, const RunOptions& options)
      : rules_(rules),
        options_(options),
        report_descriptor_(ReportDescriptorOfRun(options.output)),
        output_(options.output, report_descriptor_, 1),
        watch_("", std::time(nullptr)),
        line_(
            [](std::string_view bytes) {
              static_cast<void>(WriteDescriptor(STDERR_FILENO, bytes));
            },
            start_) {}

  int Run() {
    if (const absl::Status status = Prepare(); !status.ok()) {
      PrintError(Std(status.message()));
      return kUnreadable;
    }
    CommandOptions command;
    command.arguments = options_.command;
    command.on_output = [this](int descriptor, std::string_view bytes) {
      return TakeOutput(descriptor, bytes);
    };
    command.on_tick = [this](const CommandTick& tick) { Tick(tick); };
    command.on_pause = [this] { line_.Erase(); };
    const absl::StatusOr<CommandEnd> end = RunCommand(command);
    CloseLog();
    if (!end.ok()) {
      PrintError(Std(end.status().message()));
      return kUnreadable;
    }
    if (!end->is_started) {
      PrintError(end->reason);
      return end->status;
    }
    // Where the reader has gone, the command's end is that reader's doing.
    if (end->status != 0 && end->has_reader) Diagnose(end->status);
    return end->status;
  }

 private:
  absl::Status Prepare() {
    ASSIGN_OR_RETURN(std::vector<Fact> host, ReadHost(options_.host));
    ASSIGN_OR_RETURN(session_, Session::Create(rules_, {.input_name = "-",
                                                        .host_facts = std::move(host),
                                                        .trace = nullptr}));
    if (output_.shows_log()) {
      ASSIGN_OR_RETURN(copy_, LogCopy::Create());
    }
    if (options_.log_file.empty()) return absl::OkStatus();
    log_ = open(options_.log_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (log_ < 0) {
      return absl::UnknownError(absl::StrCat("--log ", options_.log_file, ": cannot be written: ",
                                             std::generic_category().message(errno)));
    }
    return absl::OkStatus();
  }

  bool TakeOutput(int descriptor, std::string_view bytes) {
    // What goes to a file moves no cursor.
    if (may_show_status_ && isatty(descriptor) == 1)
      line_.BeforeOutput(bytes, TerminalWidth(), Clock::now());
    const absl::Status written = WriteDescriptor(descriptor, bytes, "the command's output");
    if (!absl::IsUnavailable(written)) Say(written);
    if (descriptor == report_descriptor_ || is_error_output_) output_.FollowLog(bytes.back());
    if (log_ >= 0) WriteLog(bytes);
    if (output_.shows_log()) Say(copy_.Append(bytes));
    if (session_status_.ok()) session_status_ = session_->Feed(bytes);
    // Without us the command would have failed to write, too.
    return written.ok();
  }

  void WriteLog(std::string_view bytes) {
    const absl::Status status =
        WriteDescriptor(log_, bytes, absl::StrCat("--log ", options_.log_file));
    if (status.ok()) return;
    Say(absl::UnknownError(
        absl::StrCat(status.message(), "; the log ends here, and the command goes on")));
    CloseLog();
  }

  void CloseLog() {
    if (log_ >= 0) close(std::exchange(log_, -1));
  }

  void Tick(const CommandTick& tick) {
    const Clock::time_point now = Clock::now();
    if (now >= next_sample_) {
      watch_.Sample(tick.process, now);
      const Clock::time_point done = Clock::now();
      next_sample_ = done + std::max<Clock::duration>(kBetweenSamples, kSampleShare * (done - now));
    }
    if (!may_show_status_) return;
    const int width = TerminalWidth();
    if (!tick.may_draw || !line_.IsDue(width, now)) {
      if (!tick.may_draw) line_.Erase();
      return;
    }
    line_.Draw(StatusLine(watch_.stats(),
                          std::chrono::duration_cast<std::chrono::seconds>(now - start_), width));
  }

  void Diagnose(int status) {
    session_->AddHostFacts(MeasuredFacts(watch_.stats()));
    absl::StatusOr<Report> report =
        session_status_.ok() ? session_->Finish(status) : absl::StatusOr<Report>(session_status_);
    if (!report.ok()) return Say(report.status());
    if (output_.shows_log())
      Say(AddExcerpts([this](const TakeBytes& take) { return copy_.Read(take); }, *report));
    Say(output_.Add(*std::move(report)));
    for (const absl::Status& error : output_.Finish()) Say(error);
  }

  // Once each; a message while the command runs begins on a line of its own.
  void Say(const absl::Status& status) {
    if (status.ok() || !said_.insert(std::string(status.message())).second) return;
    line_.Erase();
    PrintError(Std(status.message()));
  }

  const RuleSet& rules_;
  const RunOptions& options_;
  const int report_descriptor_;
  const Clock::time_point start_ = Clock::now();
  const bool is_error_output_ = IsSameFile(STDOUT_FILENO, STDERR_FILENO);
  const bool may_show_status_ = MayShowStatus(options_);
  ReportOutput output_;
  std::unique_ptr<Session> session_;
  absl::Status session_status_;
  LogCopy copy_;
  int log_ = -1;
  BuildWatch watch_;
  Clock::time_point next_sample_ = start_;
  QuietLine line_;
  std::set<std::string> said_;
};

}  // namespace

int RunRun(const RuleSet& rules, const RunOptions& options) {
  return CommandRun(rules, options).Run();
}

}  // namespace cudadoctor

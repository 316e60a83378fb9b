#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "base/views.h"
#include "cli/commands.h"
#include "cli/diagnosis.h"
#include "cli/input.h"
#include "engine/command_facts.h"
#include "engine/session.h"
#include "remedy/retry.h"
#include "remedy/shell.h"
#include "report/names.h"
#include "run/build_watch.h"
#include "run/command.h"
#include "run/quiet_line.h"
#include "run/status_line.h"
#include "run/terminal.h"
#include "text/line.h"

namespace cudadoctor {
namespace {

using Clock = std::chrono::steady_clock;

// Looking at the processes takes 20 microseconds for each that the machine runs: once a second, and
// seldom enough to take at most a fiftieth of one core where there are thousands.
constexpr std::chrono::seconds kBetweenSamples{1};
constexpr int kSampleShare = 50;
constexpr int kUnknownWidth = 80;
constexpr size_t kLabelWidth = 8;  // of a recipe

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

// Says things once each; a message while the command runs begins on a line of its own.
class Messages {
 public:
  void Say(const absl::Status& status) {
    if (status.ok() || !said_.insert(std::string(status.message())).second) return;
    if (before) before();
    PrintError(Std(status.message()));
  }

  std::function<void()> before;

 private:
  std::set<std::string> said_;
};

// The file of --log.
class LogFile {
 public:
  explicit LogFile(Messages& messages) : messages_(messages) {}
  ~LogFile() { Close(); }
  LogFile(const LogFile&) = delete;  // owns a descriptor
  LogFile& operator=(const LogFile&) = delete;

  absl::Status Open(const std::string& path) {
    path_ = path;
    descriptor_ = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor_ >= 0) return absl::OkStatus();
    return absl::UnknownError(absl::StrCat(
        "--log ", path, ": cannot be written: ", std::generic_category().message(errno)));
  }

  void Write(std::string_view bytes) {
    if (descriptor_ < 0) return;
    const absl::Status status = WriteDescriptor(descriptor_, bytes, absl::StrCat("--log ", path_));
    if (status.ok()) return;
    messages_.Say(absl::UnknownError(
        absl::StrCat(status.message(), "; the log ends here, and the command goes on")));
    Close();
  }

 private:
  void Close() {
    if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
  }

  Messages& messages_;
  std::string path_;
  int descriptor_ = -1;
};

// The command once, from its start to its diagnosis.
class Attempt {
 public:
  Attempt(const RunOptions& options, ReportOutput& output, LogFile& log, Messages& messages)
      : options_(options),
        output_(output),
        log_(log),
        messages_(messages),
        may_show_status_(MayShowStatus(options)),
        watch_("", std::time(nullptr)),
        line_(
            [](std::string_view bytes) {
              static_cast<void>(WriteDescriptor(STDERR_FILENO, bytes));
            },
            start_) {
    messages_.before = [this] { line_.Erase(); };
  }
  ~Attempt() { messages_.before = nullptr; }
  Attempt(const Attempt&) = delete;  // its functions are handed out
  Attempt& operator=(const Attempt&) = delete;

  absl::StatusOr<CommandEnd> Run(const RuleSet& rules, const HostChoice& host,
                                 const std::vector<Fact>& command_facts, const Assignments& env) {
    SessionOptions session;
    session.input_name = "-";
    session.host_facts = host.facts;
    session.is_local_host = host.is_local;
    session.command_facts = [this, &command_facts] {
      std::vector<Fact> facts = command_facts;
      const std::vector<Fact> measured = MeasuredFacts(watch_.stats());
      facts.insert(facts.end(), measured.begin(), measured.end());
      return facts;
    };
    ASSIGN_OR_RETURN(session_, Session::Create(rules, std::move(session)));
    if (output_.shows_log()) {
      ASSIGN_OR_RETURN(copy_, LogCopy::Create());
    }
    CommandOptions command;
    command.arguments = options_.command;
    command.environment = env;
    command.on_output = [this](int descriptor, std::string_view bytes) {
      return TakeOutput(descriptor, bytes);
    };
    command.on_tick = [this](const CommandTick& tick) { Tick(tick); };
    command.on_pause = [this] { line_.Erase(); };
    return RunCommand(command);
  }

  absl::StatusOr<Report> Diagnose(int status) {
    RETURN_IF_ERROR(session_status_);
    ASSIGN_OR_RETURN(Report report, session_->Finish(status));
    if (output_.shows_log())
      messages_.Say(
          AddExcerpts([this](const TakeBytes& take) { return copy_.Read(take); }, report));
    return report;
  }

 private:
  bool TakeOutput(int descriptor, std::string_view bytes) {
    // What goes to a file moves no cursor.
    if (may_show_status_ && isatty(descriptor) == 1)
      line_.BeforeOutput(bytes, TerminalWidth(), Clock::now());
    const absl::Status written = WriteDescriptor(descriptor, bytes, "the command's output");
    if (!absl::IsUnavailable(written)) messages_.Say(written);
    output_.FollowOutput(descriptor, bytes.back());
    log_.Write(bytes);
    if (output_.shows_log()) messages_.Say(copy_.Append(bytes));
    if (session_status_.ok()) session_status_ = session_->Feed(bytes);
    // Without us the command would have failed to write, too.
    return written.ok();
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
    if (!tick.may_draw || !line_.IsDue(now)) {
      if (!tick.may_draw) line_.Erase();
      return;
    }
    line_.Draw(StatusLine(watch_.stats(),
                          std::chrono::duration_cast<std::chrono::seconds>(now - start_), width));
  }

  const RunOptions& options_;
  ReportOutput& output_;
  LogFile& log_;
  Messages& messages_;
  const Clock::time_point start_ = Clock::now();
  const bool may_show_status_;
  std::unique_ptr<Session> session_;
  absl::Status session_status_;
  LogCopy copy_;
  BuildWatch watch_;
  Clock::time_point next_sample_ = start_;
  QuietLine line_;
};

class CommandRun {
 public:
  CommandRun(const RuleSet& rules, const RunOptions& options)
      : rules_(rules),
        knowledge_([&rules](std::string_view name) { return rules.KnowledgeText(name); }),
        options_(options),
        output_(options.output, ReportDescriptorOfRun(options.output), 1),
        log_(messages_) {}

  int Run() {
    if (const absl::Status status = Prepare(); !status.ok()) {
      PrintError(Std(status.message()));
      return kUnreadable;
    }
    for (int attempt = 1;; ++attempt) {
      Attempt run(options_, output_, log_, messages_);
      const absl::StatusOr<CommandEnd> end = run.Run(rules_, host_, command_facts_, env_);
      if (!end.ok()) {
        PrintError(Std(end.status().message()));
        return kUnreadable;
      }
      if (!end->is_started) {
        PrintError(end->reason);
        return end->status;
      }
      if (end->status == 0 && attempt > 1) TellRecipe();
      // Where the reader has gone, the command's end is that reader's doing.
      if (end->status == 0 || !end->has_reader) return end->status;
      absl::StatusOr<Report> report = run.Diagnose(end->status);
      if (!report.ok()) {
        messages_.Say(report.status());
        return end->status;
      }
      const bool may_repeat = !end->is_interrupted && MayRepeat(end->status);
      if (attempt <= options_.retries && may_repeat && PlanNext(*report, attempt + 1)) continue;
      // Why it ended is known to who ended it.
      const bool is_unknown =
          report->diagnoses.empty() || report->diagnoses.front().cause == "unknown";
      if (end->is_interrupted && is_unknown) return end->status;
      messages_.Say(output_.Add(*std::move(report)));
      for (const absl::Status& error : output_.Finish()) messages_.Say(error);
      return end->status;
    }
  }

 private:
  absl::Status Prepare() {
    ASSIGN_OR_RETURN(host_, ChooseHost(options_.host, /*is_live=*/true,
                                       [this](std::string_view name) { return Variable(name); }));
    RETURN_IF_ERROR(ReadCommand());
    return options_.log_file.empty() ? absl::OkStatus() : log_.Open(options_.log_file);
  }

  // What the command and the variables that it gets state.
  absl::Status ReadCommand() {
    ASSIGN_OR_RETURN(command_facts_,
                     FactsOfCommand(rules_, {{}, options_.command},
                                    [this](std::string_view name) { return Variable(name); }));
    return absl::OkStatus();
  }

  std::optional<std::string> Variable(std::string_view name) const {
    for (const auto& [known, value] : env_)
      if (known == name) return value;
    return ProcessEnvironment(name);
  }

  // Who stops a command does not want it again.
  static bool MayRepeat(int status) {
    return status != 128 + SIGINT && status != 128 + SIGTERM && status != 128 + SIGHUP &&
           status != 128 + SIGQUIT;
  }

  // Changes `env_` for the next attempt and announces it; false when there is none to make.
  bool PlanNext(const Report& report, int attempt) {
    const absl::StatusOr<RetryPlan> plan =
        PlanRetry(report, knowledge_, [this](std::string_view name) { return Variable(name); });
    if (!plan.ok()) {
      PrintError(absl::StrCat("no other attempt: ", plan.status().message()));
      return false;
    }
    const Diagnosis& diagnosis = report.diagnoses.front();
    PrintError(
        absl::StrCat(diagnosis.cause, ", ", Name(diagnosis.confidence), ": ", diagnosis.title));
    for (const Step& step : diagnosis.remedies.front().steps)
      if (!step.note.empty()) PrintError(step.note);
    std::string changes;
    for (const auto& [name, value] : plan->env) {
      absl::StrAppend(&changes, changes.empty() ? "" : " ", name, "=", ShellQuote(value));
      const auto same = [&name = name](const auto& known) { return known.first == name; };
      env_.erase(std::remove_if(env_.begin(), env_.end(), same), env_.end());
      env_.emplace_back(name, value);
    }
    PrintError(absl::StrCat("attempt ", attempt, " of ", options_.retries + 1, ": ", changes));
    package_ = diagnosis.package;
    messages_.Say(ReadCommand());
    return true;
  }

  void TellRecipe() {
    const Recipe recipe = WriteRecipe(env_, options_.command, package_);
    for (const std::string& variable : recipe.hidden)
      PrintError(absl::StrCat(variable, " stands for what is not shown here; set it first"));
    PrintError("it worked; for next time:");
    std::string text;
    for (const auto& [label, form] :
         {std::pair("shell", &recipe.shell), std::pair("docker", &recipe.dockerfile),
          std::pair("uv", &recipe.uv)}) {
      std::string shown = label;
      for (const absl::string_view line : absl::StrSplit(*form, '\n', absl::SkipEmpty())) {
        shown.resize(kLabelWidth, ' ');
        absl::StrAppend(&text, shown, Printable(Std(line)), "\n");
        shown.clear();
      }
    }
    messages_.Say(WriteDescriptor(STDERR_FILENO, text));
  }

  const RuleSet& rules_;
  const Knowledge knowledge_;
  const RunOptions& options_;
  ReportOutput output_;
  Messages messages_;
  LogFile log_;
  HostChoice host_;
  std::vector<Fact> command_facts_;
  Assignments env_;      // what the retries set
  std::string package_;  // what was built
};

}  // namespace

int RunRun(const RuleSet& rules, const RunOptions& options) {
  return CommandRun(rules, options).Run();
}

}  // namespace cudadoctor

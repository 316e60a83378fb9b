#include <unistd.h>

#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "base/views.h"
#include "cli/commands.h"
#include "cli/diagnosis.h"
#include "cli/input.h"
#include "cli/report_output.h"
#include "engine/command_facts.h"
#include "engine/session.h"
#include "host/pipe_writer.h"
#include "remedy/shell.h"

namespace cudadoctor {
namespace {

// Whether `arguments` are a command that a remedy may repeat.
bool IsInstallOrBuild(const std::vector<std::string>& arguments) {
  return ParseCommandLine(WriteCommandLine({{}, arguments})).has_value();
}

class DiagnoseRun {
 public:
  DiagnoseRun(const RuleSet& rules, const DiagnoseOptions& options)
      : rules_(rules),
        options_(options),
        output_(options.output, STDOUT_FILENO, options.files.size()) {}

  int Run() {
    if (options_.files.empty() && isatty(STDIN_FILENO) == 1) {
      PrintError("no input; name a log file, or pipe one: uv pip install … 2>&1 | cudadoctor");
      return kUsage;
    }
    absl::StatusOr<HostChoice> host = ChooseHost(options_.host, options_.files.empty());
    if (!host.ok()) {
      PrintError(Std(host.status().message()));
      return kUnreadable;
    }
    host_ = *std::move(host);
    if (options_.files.empty()) {
      DiagnosePipe();
    } else {
      for (const std::string& file : options_.files) DiagnoseFile(file);
    }
    for (const absl::Status& error : output_.Finish()) Unreadable(error);
    if (is_unreadable_) return kUnreadable;
    return found_failure_ ? kFailureFound : kNoFailure;
  }

 private:
  // What the command that writes into the pipe states.
  std::vector<Fact> WriterFacts(const PipeWriterWatch& watch) {
    const std::optional<PipeWriter> writer = watch.Writer();
    if (!writer.has_value()) return {};
    absl::StatusOr<std::vector<Fact>> facts =
        FactsOfCommand(rules_, {writer->OwnVariables(ProcessEnvironment), writer->arguments},
                       [&writer](std::string_view name) { return writer->Variable(name); });
    Unreadable(facts.status());
    return facts.ok() ? *std::move(facts) : std::vector<Fact>();
  }

  absl::StatusOr<std::unique_ptr<Session>> Start(
      const std::string& name, std::function<std::vector<Fact>()> command_facts = {}) {
    SessionOptions session;
    session.input_name = name;
    session.host_facts = host_.facts;
    session.is_local_host = host_.is_local;
    session.command_facts = std::move(command_facts);
    if (options_.is_trace) {
      session.trace = [this](const std::string& line) {
        Unreadable(WriteDescriptor(STDOUT_FILENO, line + "\n"));
      };
    }
    return Session::Create(rules_, std::move(session));
  }

  void DiagnoseFile(const std::string& path) {
    absl::StatusOr<std::unique_ptr<Session>> session = Start(path);
    if (!session.ok()) return Unreadable(session.status());
    bool has_content = false;
    const absl::Status status = ReadLogFile(path, [&](std::string_view bytes) {
      has_content = has_content || !bytes.empty();
      return (*session)->Feed(bytes);
    });
    if (!status.ok()) {
      Unreadable(status);
      // What came before a cut is still worth an answer.
      if (!absl::IsDataLoss(status) || !has_content) return;
    }
    Add(**session, [&path](const TakeBytes& take) {
      const absl::Status again = ReadLogFile(path, take);
      return absl::IsDataLoss(again) ? absl::OkStatus() : again;
    });
  }

  void DiagnosePipe() {
    PipeWriterWatch watch(STDIN_FILENO, getppid(), IsInstallOrBuild);
    absl::StatusOr<std::unique_ptr<Session>> session =
        Start("-", [&] { return host_.is_local ? WriterFacts(watch) : std::vector<Fact>(); });
    if (!session.ok()) return Unreadable(session.status());
    watch.Look();
    const bool passes_log = output_.passes_log() && !options_.is_trace;
    absl::StatusOr<LogCopy> copy = output_.shows_log() ? LogCopy::Create() : LogCopy();
    if (!copy.ok()) return Unreadable(copy.status());
    const absl::Status status = ReadDescriptor(STDIN_FILENO, [&](std::string_view bytes) {
      // A log that cannot be passed on is diagnosed all the same.
      if (passes_log) Unreadable(output_.PassLog(bytes));
      watch.Look();
      if (output_.shows_log()) RETURN_IF_ERROR(copy->Append(bytes));
      return (*session)->Feed(bytes);
    });
    if (!status.ok()) return Unreadable(status);
    Add(**session, [&copy](const TakeBytes& take) { return copy->Read(take); });
  }

  void Add(Session& session, const ReadAgain& read_again) {
    absl::StatusOr<Report> report = session.Finish(std::nullopt);
    if (!report.ok()) return Unreadable(report.status());
    for (const Diagnosis& diagnosis : report->diagnoses)
      found_failure_ = found_failure_ || diagnosis.role != Role::kLatent;
    if (output_.shows_log()) Unreadable(AddExcerpts(read_again, *report));
    Unreadable(output_.Add(*std::move(report)));
  }

  void Unreadable(const absl::Status& status) {
    if (status.ok() || !said_.insert(std::string(status.message())).second) return;
    PrintError(Std(status.message()));
    is_unreadable_ = true;
  }

  const RuleSet& rules_;
  const DiagnoseOptions& options_;
  ReportOutput output_;
  HostChoice host_;
  std::set<std::string> said_;
  bool is_unreadable_ = false;
  bool found_failure_ = false;
};

}  // namespace

int RunDiagnose(const RuleSet& rules, const DiagnoseOptions& options) {
  return DiagnoseRun(rules, options).Run();
}

}  // namespace cudadoctor

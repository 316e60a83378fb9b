#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/views.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "engine/session.h"
#include "host/host_facts.h"
#include "report/renderer.h"
#include "text/line.h"

namespace cudadoctor {
namespace {

// What a colour-aware program may assume of a descriptor.
TextOptions TextOptionsFor(int descriptor, const std::string& color) {
  TextOptions options;
  const bool is_terminal = isatty(descriptor) == 1;
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool is_refused = (no_color != nullptr && *no_color != '\0') ||
                          (terminal != nullptr && std::string_view(terminal) == "dumb");
  options.color = color == "always" || (color == "auto" && is_terminal && !is_refused);
  winsize size{};
  if (is_terminal && ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    options.width = size.ws_col;
  } else if (const char* columns = std::getenv("COLUMNS");
             columns != nullptr && std::atoi(columns) > 0) {
    options.width = std::atoi(columns);
  }
  return options;
}

class DiagnoseRun {
 public:
  DiagnoseRun(const RuleSet& rules, const DiagnoseOptions& options)
      : rules_(rules), options_(options) {}

  int Run() {
    if (options_.files.empty() && isatty(STDIN_FILENO) == 1) {
      PrintError("no input; name a log file, or pipe one: uv pip install … 2>&1 | cudadoctor");
      return kUsage;
    }
    if (options_.host != "none" && !ReadHost()) return kUnreadable;
    reports_.resize(options_.reports.size());
    if (options_.files.empty()) {
      DiagnosePipe();
    } else {
      for (const std::string& file : options_.files) DiagnoseFile(file);
    }
    WriteReports();
    if (is_unreadable_) return kUnreadable;
    return found_failure_ ? kFailureFound : kNoFailure;
  }

 private:
  bool ReadHost() {
    absl::StatusOr<std::string> text = ReadSmallFile(options_.host);
    absl::StatusOr<std::vector<Fact>> facts =
        text.ok() ? ParseHostFacts(*text, options_.host)
                  : absl::StatusOr<std::vector<Fact>>(text.status());
    if (!facts.ok()) {
      PrintError(Std(facts.status().message()));
      return false;
    }
    host_facts_ = *std::move(facts);
    return true;
  }

  absl::StatusOr<std::unique_ptr<Session>> Start(const std::string& name) {
    SessionOptions session{.input_name = name, .host_facts = host_facts_, .trace = nullptr};
    if (options_.is_trace) session.trace = [this](const std::string& line) { Print(line + "\n"); };
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
    Report(**session);
  }

  void DiagnosePipe() {
    absl::StatusOr<std::unique_ptr<Session>> session = Start("-");
    if (!session.ok()) return Unreadable(session.status());
    const bool passes_through =
        !options_.is_quiet && !options_.is_trace && options_.format == "text";
    absl::Status passed = absl::OkStatus();
    const absl::Status status = ReadDescriptor(STDIN_FILENO, [&](std::string_view bytes) {
      // A reader that went away does not keep the log from being diagnosed.
      if (passes_through && passed.ok()) passed = WriteDescriptor(STDOUT_FILENO, bytes);
      if (passes_through && !bytes.empty()) last_passed_ = bytes.back();
      return (*session)->Feed(bytes);
    });
    if (!status.ok()) return Unreadable(status);
    if (!passed.ok() && !absl::IsUnavailable(passed)) Unreadable(passed);
    Report(**session);
  }

  void Report(Session& session) {
    absl::StatusOr<cudadoctor::Report> report = session.Finish(std::nullopt);
    if (!report.ok()) return Unreadable(report.status());
    for (const Diagnosis& diagnosis : report->diagnoses)
      found_failure_ = found_failure_ || diagnosis.role != Role::kLatent;
    if (options_.format == "json") {
      Print(RenderJson(*report));
    } else {
      const bool is_first = is_first_report_;
      std::string text = RenderText(*report, TextOptionsFor(STDOUT_FILENO, options_.color));
      if (options_.files.size() > 1)
        text = absl::StrCat(Clean(report->input.name).text, ": ", text);
      // The report stands apart from the log that was passed through, and from another report.
      std::string gap = is_first ? "" : "\n";
      if (last_passed_.has_value()) gap = last_passed_ == '\n' ? "\n" : "\n\n";
      Print(absl::StrCat(gap, text));
    }
    is_first_report_ = false;
    for (size_t i = 0; i < options_.reports.size(); ++i) {
      TextOptions plain;
      reports_[i] +=
          options_.reports[i].first == "json" ? RenderJson(*report) : RenderText(*report, plain);
    }
  }

  void WriteReports() {
    for (size_t i = 0; i < options_.reports.size(); ++i) {
      const absl::Status status = WriteFile(options_.reports[i].second, reports_[i]);
      if (!status.ok()) Unreadable(status);
    }
  }

  void Print(std::string_view text) {
    const absl::Status status = WriteDescriptor(STDOUT_FILENO, text);
    if (!status.ok()) Unreadable(status);
  }

  void Unreadable(const absl::Status& status) {
    if (!said_.insert(std::string(status.message())).second) return;
    PrintError(Std(status.message()));
    is_unreadable_ = true;
  }

  const RuleSet& rules_;
  const DiagnoseOptions& options_;
  std::vector<Fact> host_facts_;
  std::vector<std::string> reports_;  // content of each --report
  std::set<std::string> said_;
  std::optional<char> last_passed_;  // the last byte that was passed through
  bool is_first_report_ = true;
  bool is_unreadable_ = false;
  bool found_failure_ = false;
};

}  // namespace

int RunDiagnose(const RuleSet& rules, const DiagnoseOptions& options) {
  return DiagnoseRun(rules, options).Run();
}

}  // namespace cudadoctor

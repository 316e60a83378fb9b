#include "cli/report_output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "cli/ci.h"
#include "cli/github_files.h"
#include "cli/input.h"
#include "redact/report.h"
#include "report/place.h"

namespace cudadoctor {
namespace {

const Format& FormatOf(const OutputOptions& options) {
  return options.format != nullptr ? *options.format
                                   : *FindFormat(FormatByContext(ProcessEnvironment));
}

}  // namespace

RenderOptions RenderOptionsFor(int descriptor, const std::string& color) {
  RenderOptions options;
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
  options.time = std::time(nullptr);
  return options;
}

int ReportDescriptorOfRun(const OutputOptions& options) {
  const Format& format = FormatOf(options);
  return format.passes_log && format.name != "text" ? STDOUT_FILENO : STDERR_FILENO;
}

ReportOutput::ReportOutput(const OutputOptions& options, int descriptor, size_t inputs)
    : options_(options),
      format_(FormatOf(options)),
      descriptor_(descriptor),
      folder_(SourceFolder(ProcessEnvironment)),
      render_(RenderOptionsFor(descriptor, options.color)) {
  render_.names_input = inputs > 1;
}

bool ReportOutput::shows_log() const {
  return format_.shows_log || std::any_of(options_.files.begin(), options_.files.end(),
                                          [](const auto& file) { return file.first->shows_log; });
}

absl::Status ReportOutput::PassLog(std::string_view bytes) {
  if (bytes.empty() || !passed_.ok()) return absl::OkStatus();
  last_passed_ = bytes.back();
  passed_ = WriteDescriptor(descriptor_, bytes);
  return absl::IsUnavailable(passed_) ? absl::OkStatus() : passed_;
}

void ReportOutput::FollowOutput(int descriptor, char last) {
  if (descriptor == descriptor_ || IsSameFile(descriptor, descriptor_)) last_passed_ = last;
}

absl::Status ReportOutput::Add(Report report) {
  PlaceInTree(
      folder_,
      [this](const std::string& path) {
        std::error_code error;
        return std::filesystem::is_regular_file(std::filesystem::path(folder_) / path, error);
      },
      report);
  absl::Status printed = absl::OkStatus();
  if (!format_.is_one_document) printed = Print({&report, 1});
  if (format_.is_one_document || !options_.files.empty()) reports_.push_back(std::move(report));
  return printed;
}

std::vector<Report> ReportOutput::ForOthers(std::span<const Report> reports) const {
  std::vector<Report> copies(reports.begin(), reports.end());
  if (!options_.shows_names) HidePeople(copies);
  return copies;
}

absl::Status ReportOutput::Print(std::span<const Report> reports) {
  render_.follows_log = last_passed_.has_value();
  std::string text = format_.is_for_others ? format_.render(ForOthers(reports), render_)
                                           : format_.render(reports, render_);
  // A report stands apart from the log that was passed through; texts stand apart from each other.
  if (last_passed_.has_value() && !text.empty()) {
    text.insert(0, last_passed_ == '\n' ? "\n" : "\n\n");
  } else if (!is_first_ && format_.passes_log && !text.empty()) {
    text.insert(0, "\n");
  }
  is_first_ = false;
  return WriteDescriptor(descriptor_, text);
}

std::vector<absl::Status> ReportOutput::Finish() {
  std::vector<absl::Status> errors;
  const auto keep = [&errors](const absl::Status& status) {
    if (!status.ok()) errors.push_back(status);
  };
  if (format_.is_one_document) keep(Print(reports_));
  const std::vector<Report> for_others = ForOthers(reports_);
  for (const auto& [format, file] : options_.files) {
    RenderOptions plain;
    plain.names_input = render_.names_input;
    plain.time = render_.time;
    keep(WriteFile(file, format->render(for_others, plain)));
  }
  if (format_.name == "github") {
    for (const absl::Status& error :
         WriteGithubFiles(for_others, render_.names_input, ProcessEnvironment))
      keep(error);
  }
  return errors;
}

}  // namespace cudadoctor

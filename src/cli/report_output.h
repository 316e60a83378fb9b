// cli/report_output.h: where reports go: one format to a descriptor, others to files.
#ifndef CUDADOCTOR_CLI_REPORT_OUTPUT_H_
#define CUDADOCTOR_CLI_REPORT_OUTPUT_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "model/report.h"
#include "report/renderer.h"

namespace cudadoctor {

struct OutputOptions {
  const Format* format = nullptr;                            // nullptr: by context
  std::vector<std::pair<const Format*, std::string>> files;  // --report
  bool is_quiet = false;                                     // no pass-through
  std::string color = "auto";                                // auto, always, never
  bool shows_names = false;                                  // --no-redact
};

// What a colour-aware program may assume of `descriptor`; `color` is auto, always or never.
RenderOptions RenderOptionsFor(int descriptor, const std::string& color);

// Where the report of a command that `run` ran goes: standard output for the formats of CI systems,
// which read commands there, else standard error.
int ReportDescriptorOfRun(const OutputOptions& options);

// Writes reports as they come, documents of several reports at the end.
class ReportOutput {
 public:
  // Prints to `descriptor`; `inputs` is how many logs there are.
  ReportOutput(const OutputOptions& options, int descriptor, size_t inputs);

  // Whether the log of a pipe goes before the report.
  bool passes_log() const { return !options_.is_quiet && format_.passes_log; }

  // Whether Report::excerpts are read.
  bool shows_log() const;

  // Writes bytes of the log. A reader that went away is no error.
  absl::Status PassLog(std::string_view bytes);

  // Says that output that ended with `last` went to `descriptor`, perhaps where the report will be.
  void FollowOutput(int descriptor, char last);

  // Takes a report and prints it, unless the format makes one document of all.
  absl::Status Add(Report report);

  // Prints what is still to be printed and writes the files, with the format github also those of
  // WriteGithubFiles. What can be written is, whatever else fails. Errors: those of
  // WriteDescriptor, WriteFile and WriteGithubFiles, one a destination.
  std::vector<absl::Status> Finish();

 private:
  absl::Status Print(std::span<const Report> reports);
  // `reports` as they may be shown to others.
  std::vector<Report> ForOthers(std::span<const Report> reports) const;

  const OutputOptions& options_;
  const Format& format_;
  const int descriptor_;
  const std::string folder_;  // the working tree
  RenderOptions render_;
  std::vector<Report> reports_;  // kept only where a document or a file needs them
  absl::Status passed_;
  std::optional<char> last_passed_;  // the last byte of the log that was passed
  bool is_first_ = true;
};

}  // namespace cudadoctor

#endif  // CUDADOCTOR_CLI_REPORT_OUTPUT_H_

// report/renderer.h: reports as text for people and machines, one source file a format.
#ifndef CUDADOCTOR_REPORT_RENDERER_H_
#define CUDADOCTOR_REPORT_RENDERER_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "json/json_fwd.h"
#include "model/report.h"

namespace cudadoctor {

extern const std::string_view kVersion;  // of this program, as CMakeLists.txt has it

struct RenderOptions {
  bool color = false;        // ANSI colours
  int width = 100;           // columns; longer evidence is cut, commands never are
  bool names_input = false;  // one of several: the text begins with the input's name
  bool follows_log = false;  // the log was passed through to the same place just before
  int64_t time = 0;          // now, in seconds since 1970, for formats with timestamps
};

// A format of reports. `render` takes untrusted text out of reports and escapes it for its format.
struct Format {
  std::string_view name;    // as --format has it
  std::string_view prints;  // in a few words, for --help and the README
  bool passes_log;          // the log of a pipe goes before the report
  bool is_one_document;     // several reports make one document, rather than one after another
  bool shows_log;           // reads Report::excerpts
  bool is_for_others;       // names of people are replaced before; of files of --report always
  std::string (*render)(std::span<const Report> reports, const RenderOptions& options);
};

// Every format, in the order of --help.
std::span<const Format> Formats();

// The format of this name, or nullptr.
const Format* FindFormat(std::string_view name);

// One screen a report, for a person.
std::string RenderText(std::span<const Report> reports, const RenderOptions& options);

// One line of JSON a report.
std::string RenderJson(std::span<const Report> reports, const RenderOptions& options);

// One HTML page that loads nothing: the diagnoses, and the log around what they quote.
std::string RenderHtml(std::span<const Report> reports, const RenderOptions& options);

// One line a diagnosis, as gcc writes its own: "FILE:LINE:COLUMN: SEVERITY: TITLE; fix: … [CAUSE]".
// FILE is PlaceOf() (report/place.h); a root is an error, all else a warning (editors' matchers
// skip gcc's notes). Nothing when there is no diagnosis.
std::string RenderGcc(std::span<const Report> reports, const RenderOptions& options);

// SARIF 2.1.0: one run, an artifact a log, a result a diagnosis, with the same places.
std::string RenderSarif(std::span<const Report> reports, const RenderOptions& options);

// reviewdog's DiagnosticResult, with the same places.
std::string RenderRdjson(std::span<const Report> reports, const RenderOptions& options);

// GitLab's Code Quality report, with the same places; one entry a fingerprint.
std::string RenderCodeQuality(std::span<const Report> reports, const RenderOptions& options);

// A comment for a pull or merge request, one document of all reports: Markdown behind a hidden mark
// by which a bot finds its comment again.
std::string RenderMarkdown(std::span<const Report> reports, const RenderOptions& options);

// Of the next four, nothing without a diagnosis.

// Workflow commands: an annotation for each root cause (error) and each latent one (notice).
std::string RenderGithub(std::span<const Report> reports, const RenderOptions& options);

// The text report in a section that can be folded.
std::string RenderGitlab(std::span<const Report> reports, const RenderOptions& options);

// Logging commands: an issue for each root cause (error) and each latent one (warning), the text
// report in a group, and the output variables cause, title and retry.
std::string RenderAzure(std::span<const Report> reports, const RenderOptions& options);

// Behind a log, the text report in an open group; else Markdown for `buildkite-agent annotate`.
std::string RenderBuildkite(std::span<const Report> reports, const RenderOptions& options);

// A remedy as it stands in a report.
Json RemedyToJson(const Remedy& remedy);

// A report in the form of docs/report.schema.json, version 1.
Json ReportToJson(const Report& report);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REPORT_RENDERER_H_

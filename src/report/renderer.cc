#include "report/renderer.h"

#include <algorithm>

namespace cudadoctor {

constinit const std::string_view kVersion = CUDADOCTOR_VERSION;

namespace {

constexpr Format kFormats[] = {
    {"text", "the report for a person; of a pipe, the log first, unchanged",
     /*passes_log=*/true, /*is_one_document=*/false, /*shows_log=*/false, /*is_for_others=*/false,
     RenderText},
    {"json", "one report a line, in the form of docs/report.schema.json",
     /*passes_log=*/false, /*is_one_document=*/false, /*shows_log=*/false, /*is_for_others=*/false,
     RenderJson},
    {"html", "one page to read, to search and to pass on, with the log around the evidence",
     /*passes_log=*/false, /*is_one_document=*/true, /*shows_log=*/true, /*is_for_others=*/true,
     RenderHtml},
    {"codequality", "GitLab's Code Quality report",
     /*passes_log=*/false, /*is_one_document=*/true, /*shows_log=*/false, /*is_for_others=*/true,
     RenderCodeQuality},
    {"sarif", "SARIF 2.1.0, for GitHub code scanning, Jenkins and editors",
     /*passes_log=*/false, /*is_one_document=*/true, /*shows_log=*/false, /*is_for_others=*/true,
     RenderSarif},
    {"rdjson", "diagnostics for reviewdog",
     /*passes_log=*/false, /*is_one_document=*/true, /*shows_log=*/false, /*is_for_others=*/true,
     RenderRdjson},
    {"gcc", "one line a cause, as gcc writes errors, for editors",
     /*passes_log=*/false, /*is_one_document=*/false, /*shows_log=*/false, /*is_for_others=*/false,
     RenderGcc},
    {"markdown", "a comment for a pull or merge request, one of all reports",
     /*passes_log=*/false, /*is_one_document=*/true, /*shows_log=*/false, /*is_for_others=*/true,
     RenderMarkdown},
    {"github", "GitHub Actions: the log, then an annotation for each root cause",
     /*passes_log=*/true, /*is_one_document=*/true, /*shows_log=*/false, /*is_for_others=*/true,
     RenderGithub},
    {"gitlab", "GitLab CI: the log, then the report for a person as a section of it",
     /*passes_log=*/true, /*is_one_document=*/true, /*shows_log=*/false, /*is_for_others=*/true,
     RenderGitlab},
    {"azure", "Azure Pipelines: the log, then an issue for each root cause, the report and outputs",
     /*passes_log=*/true, /*is_one_document=*/true, /*shows_log=*/false, /*is_for_others=*/true,
     RenderAzure},
    {"buildkite",
     "Buildkite: the log, then the report as a group of it; of files, the Markdown of an "
     "annotation",
     /*passes_log=*/true, /*is_one_document=*/true, /*shows_log=*/false, /*is_for_others=*/true,
     RenderBuildkite},
};

}  // namespace

std::span<const Format> Formats() { return kFormats; }

const Format* FindFormat(std::string_view name) {
  const auto* found = std::find_if(std::begin(kFormats), std::end(kFormats),
                                   [name](const Format& format) { return format.name == name; });
  return found == std::end(kFormats) ? nullptr : found;
}

}  // namespace cudadoctor

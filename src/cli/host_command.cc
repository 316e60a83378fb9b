#include <unistd.h>

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/views.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "host/host_facts.h"
#include "host/host_text.h"
#include "host/probe.h"
#include "text/line.h"

namespace cudadoctor {
namespace {

// Names of files may hold what a terminal would obey.
std::string CleanLines(const std::string& text) {
  std::string clean;
  for (const absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty()))
    absl::StrAppend(&clean, Clean(Std(line)).text, "\n");
  return clean;
}

}  // namespace

int RunHost(const std::string& format) {
  const std::vector<Fact> facts = ProbeHost(LocalSources());
  const std::string output =
      format == "json" ? HostFactsToJson(facts) : CleanLines(RenderHostText(facts));
  if (const absl::Status status = WriteDescriptor(STDOUT_FILENO, output); !status.ok()) {
    PrintError(Std(status.message()));
    return kUnreadable;
  }
  return kNoFailure;
}

}  // namespace cudadoctor

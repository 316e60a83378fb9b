#include <unistd.h>

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/views.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "host/host_facts.h"
#include "host/host_text.h"
#include "host/probe.h"
#include "json/json.h"
#include "text/line.h"

namespace cudadoctor {
namespace {

// Names of files may hold what a terminal would obey.
std::vector<Fact> Cleaned(std::vector<Fact> facts) {
  for (Fact& fact : facts) {
    fact.value = Printable(fact.value);
    fact.at = Printable(fact.at);
  }
  return facts;
}

}  // namespace

int RunHost(const std::string& format) {
  const std::vector<Fact> facts = ProbeHost(LocalSources());
  const std::string output =
      format == "json" ? HostFactsToJson(facts) : RenderHostText(Cleaned(facts));
  return Print(output);
}

}  // namespace cudadoctor

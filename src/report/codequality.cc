#include <set>
#include <string>

#include "json/json.h"
#include "report/message.h"
#include "report/place.h"
#include "report/quote.h"
#include "report/renderer.h"

namespace cudadoctor {

// As docs.gitlab.com "Code Quality report format" has it.
std::string RenderCodeQuality(std::span<const Report> reports, const RenderOptions&) {
  Json entries = Json::array();
  std::set<std::string> seen;
  for (const Report& report : reports) {
    for (const Diagnosis& diagnosis : report.diagnoses) {
      // GitLab keeps one entry of a fingerprint.
      if (!seen.insert(diagnosis.fingerprint).second) continue;
      const SourceLocation place = PlaceOf(report, diagnosis);
      entries.push_back(
          // Jenkins' reader of the same form asks for a type and categories, GitLab ignores them.
          {{"type", "issue"},
           {"categories", Json::array({"Compatibility"})},
           {"description", LineMessage(diagnosis)},
           {"check_name", diagnosis.cause},
           {"fingerprint", diagnosis.fingerprint},
           {"severity", ForRole(diagnosis.role, "critical", "major", "info")},
           {"location", {{"path", OneLine(place.file)}, {"lines", {{"begin", place.line}}}}}});
    }
  }
  return WriteJson(entries, 2) + "\n";
}

}  // namespace cudadoctor

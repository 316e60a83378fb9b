#include <string>

#include "json/json.h"
#include "report/message.h"
#include "report/place.h"
#include "report/renderer.h"

namespace cudadoctor {
namespace {

// A Diagnostic of reviewdog's proto/rdf/reviewdog.proto.
Json ToDiagnostic(const Report& report, const Diagnosis& diagnosis) {
  const SourceLocation place = PlaceOf(report, diagnosis);
  Json code = {{"value", diagnosis.cause}};
  if (!diagnosis.references.empty()) code["url"] = diagnosis.references.front();
  // Columns are bytes of UTF-8 from 1, as ours.
  return {{"message", MarkdownMessage(diagnosis)},
          {"location",
           {{"path", place.file},
            {"range", {{"start", {{"line", place.line}, {"column", place.column}}}}}}},
          {"severity", ForRole(diagnosis.role, "ERROR", "WARNING", "INFO")},
          {"code", std::move(code)},
          // What reviewdog prints at a terminal.
          {"original_output", GccLine(report, diagnosis)}};
}

}  // namespace

std::string RenderRdjson(std::span<const Report> reports, const RenderOptions&) {
  Json diagnostics = Json::array();
  for (const Report& report : reports) {
    for (const Diagnosis& diagnosis : report.diagnoses)
      diagnostics.push_back(ToDiagnostic(report, diagnosis));
  }
  const Json result = {{"source", {{"name", "cudadoctor"}}},
                       {"severity", "ERROR"},
                       {"diagnostics", std::move(diagnostics)}};
  return WriteJson(result, 2) + "\n";
}

}  // namespace cudadoctor

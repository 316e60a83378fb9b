#include <string>

#include "report/message.h"
#include "report/renderer.h"

namespace cudadoctor {

std::string RenderGcc(std::span<const Report> reports, const RenderOptions&) {
  std::string text;
  for (const Report& report : reports) {
    for (const Diagnosis& diagnosis : report.diagnoses) text += GccLine(report, diagnosis) + "\n";
  }
  return text;
}

}  // namespace cudadoctor

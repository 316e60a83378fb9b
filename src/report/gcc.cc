#include <string>

#include "report/message.h"
#include "report/renderer.h"

namespace cudadoctor {

std::string RenderGcc(std::span<const Report> reports, const RenderOptions& options) {
  std::string text;
  for (const Report& report : reports) {
    for (const Diagnosis& diagnosis : report.diagnoses)
      text += GccLine(report, diagnosis, options.folder) + "\n";
  }
  return text;
}

}  // namespace cudadoctor

#include "report/ci_log.h"

#include "absl/strings/str_cat.h"
#include "report/names.h"
#include "report/quote.h"

namespace cudadoctor {

std::vector<Finding> Findings(std::span<const Report> reports) {
  std::vector<Finding> findings;
  for (const Role role : {Role::kRoot, Role::kLatent}) {
    for (const Report& report : reports) {
      for (const Diagnosis& diagnosis : report.diagnoses) {
        if (diagnosis.role == role) findings.push_back({&report, &diagnosis});
      }
    }
  }
  return findings;
}

std::optional<Finding> FirstFailure(std::span<const Report> reports) {
  const std::vector<Finding> findings = Findings(reports);
  if (findings.empty() || findings.front().diagnosis->role != Role::kRoot) return std::nullopt;
  return findings.front();
}

std::string TitleWithCause(const Diagnosis& diagnosis) {
  if (diagnosis.cause == "unknown") return OneLine(diagnosis.title);
  return absl::StrCat(OneLine(diagnosis.title), " (", diagnosis.cause, ", ",
                      Name(diagnosis.confidence), ")");
}

std::string TitleWithCost(const Remedy& remedy) {
  return OneLine(remedy.cost.empty() ? remedy.title
                                     : absl::StrCat(remedy.title, "; costs ", remedy.cost));
}

std::string Header(std::span<const Report> reports) {
  const std::vector<Finding> findings = Findings(reports);
  if (findings.empty()) return "";
  std::string header = OneLine(findings[0].diagnosis->title);
  if (findings.size() > 1) absl::StrAppend(&header, ", and ", findings.size() - 1, " more");
  return header;
}

std::string TextOfFindings(std::span<const Report> reports, const RenderOptions& options) {
  std::string text;
  for (const Report& report : reports) {
    if (report.diagnoses.empty()) continue;
    absl::StrAppend(&text, text.empty() ? "" : "\n", RenderText({&report, 1}, options));
  }
  return text;
}

std::string PartNumberSigns(std::string_view text) {
  std::string parted;
  for (const char c : text) {
    if (c == '#' && parted.ends_with('#')) parted.push_back(' ');
    parted.push_back(c);
  }
  return parted;
}

}  // namespace cudadoctor

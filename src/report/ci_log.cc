#include "report/ci_log.h"

#include "absl/strings/str_cat.h"
#include "report/names.h"
#include "report/quote.h"

namespace cudadoctor {

std::vector<Mark> Marks(std::span<const Report> reports) {
  std::vector<Mark> marks;
  for (const Role role : {Role::kRoot, Role::kLatent}) {
    for (const Report& report : reports) {
      for (const Diagnosis& diagnosis : report.diagnoses) {
        if (diagnosis.role == role) marks.push_back({&report, &diagnosis});
      }
    }
  }
  return marks;
}

std::optional<Mark> FirstFailure(std::span<const Report> reports) {
  const std::vector<Mark> marks = Marks(reports);
  if (marks.empty() || marks.front().diagnosis->role != Role::kRoot) return std::nullopt;
  return marks.front();
}

std::string TitleWithCause(const Diagnosis& diagnosis) {
  if (diagnosis.cause == "unknown") return OneLine(diagnosis.title);
  return absl::StrCat(OneLine(diagnosis.title), " (", CauseAndConfidence(diagnosis), ")");
}

std::string Header(std::span<const Report> reports) {
  const std::vector<Mark> marks = Marks(reports);
  if (marks.empty()) return "";
  std::string header = OneLine(marks[0].diagnosis->title);
  if (marks.size() > 1) absl::StrAppend(&header, ", and ", marks.size() - 1, " more");
  return header;
}

std::string TextOfMarks(std::span<const Report> reports, const RenderOptions& options) {
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

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "report/names.h"
#include "report/quote.h"
#include "report/renderer.h"
#include "report/text_layout.h"

namespace cudadoctor {
namespace {

// One screen: what is left out stands in the JSON report and in `cudadoctor explain`.
constexpr size_t kMaxEvidence = 3;
constexpr size_t kMaxRemedies = 2;
constexpr size_t kMaxAvoid = 3;

class TextReport {
 public:
  TextReport(const Report& report, const RenderOptions& options)
      : report_(report), layout_(options) {}

  std::string Render() {
    if (report_.diagnoses.empty()) return absl::StrCat(NoDiagnosis(report_), "\n");
    const bool has_root = report_.diagnoses.front().role == Role::kRoot;
    for (const Diagnosis& diagnosis : report_.diagnoses) {
      if (!layout_.is_empty()) layout_.AddBlankLine();
      if (has_root && diagnosis.role != Role::kRoot) {
        AddAside(diagnosis);
      } else {
        Add(diagnosis);
      }
    }
    return layout_.Take();
  }

 private:
  void Add(const Diagnosis& diagnosis) {
    layout_.AddHeadline(Headline(report_, diagnosis));
    const std::string verdict =
        diagnosis.cause == "unknown"
            ? "unknown"
            : absl::StrCat(diagnosis.cause, ", ", Name(diagnosis.confidence));
    layout_.AddCause(diagnosis.role == Role::kLatent ? "note" : "cause", diagnosis.title, verdict);
    for (size_t i = 0; i < diagnosis.evidence.size() && i < kMaxEvidence; ++i)
      layout_.AddEvidence(diagnosis.evidence[i]);
    if (std::find(report_.input.limits.begin(), report_.input.limits.end(), "clipped-upstream") !=
        report_.input.limits.end()) {
      layout_.AddText("",
                      "this log was cut before it got here; the full log may show another cause");
    }
    for (size_t i = 0; i < diagnosis.remedies.size() && i < kMaxRemedies; ++i)
      layout_.AddRemedy(diagnosis.remedies[i]);
    if (!diagnosis.avoid.empty() || diagnosis.cause != "unknown") layout_.AddBlankLine();
    const char* label = "not";
    for (size_t i = 0; i < diagnosis.avoid.size() && i < kMaxAvoid; ++i) {
      layout_.AddText(label, diagnosis.avoid[i]);
      label = "";
    }
    if (diagnosis.cause != "unknown")
      layout_.AddText("more", absl::StrCat("cudadoctor explain ", diagnosis.cause));
  }

  // Beside a root, what is no root takes a line or two.
  void AddAside(const Diagnosis& diagnosis) {
    layout_.AddCause("besides", diagnosis.title,
                     absl::StrCat(diagnosis.cause, ", ", Name(diagnosis.confidence)));
    if (!diagnosis.evidence.empty()) layout_.AddEvidence(diagnosis.evidence.front());
  }

  const Report& report_;
  TextLayout layout_;
};

}  // namespace

std::string RenderText(std::span<const Report> reports, const RenderOptions& options) {
  std::string text;
  for (const Report& report : reports) {
    if (!text.empty()) text.append("\n");
    if (options.names_input) absl::StrAppend(&text, OneLine(report.input.name), ": ");
    text.append(TextReport(report, options).Render());
  }
  return text;
}

}  // namespace cudadoctor

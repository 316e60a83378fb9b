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
    for (const Diagnosis& diagnosis : report_.diagnoses) {
      if (!layout_.is_empty()) layout_.AddBlankLine();
      if (IsBesideRoot(report_, diagnosis)) {
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
    layout_.AddCause(diagnosis.role == Role::kLatent ? "note" : "cause", diagnosis.title,
                     CauseAndConfidence(diagnosis));
    for (size_t i = 0; i < diagnosis.evidence.size() && i < kMaxEvidence; ++i)
      layout_.AddEvidence(diagnosis.evidence[i]);
    if (const std::string_view limit = LimitOf(report_); !limit.empty())
      layout_.AddText("", std::string(limit));
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
    layout_.AddCause("besides", diagnosis.title, CauseAndConfidence(diagnosis));
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

#include "report/package_check.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "json/json.h"
#include "report/names.h"
#include "report/text_layout.h"

namespace cudadoctor {
namespace {

// One screen: the rest stands in the JSON and in `cudadoctor explain`.
constexpr size_t kMaxEvidence = 3;
constexpr size_t kMaxAvoid = 3;

const char* Name(Way way) {
  switch (way) {
    case Way::kUnknown:
      return "unknown";
    case Way::kWheel:
      return "wheel";
    case Way::kPure:
      return "pure";
    case Way::kCompiled:
      return "compiled";
  }
  return "unknown";
}

// Whether the command at the end was said already, as the last step of the only remedy.
bool IsSaid(const std::string& command, const std::vector<const Diagnosis*>& roots) {
  if (roots.size() != 1 || roots.front()->remedies.empty()) return false;
  const std::vector<Step>& steps = roots.front()->remedies.front().steps;
  return std::any_of(steps.begin(), steps.end(),
                     [&command](const Step& step) { return step.run == command; });
}

void AddRoot(const Diagnosis& diagnosis, bool is_alone, TextLayout& layout) {
  layout.AddBlankLine();
  layout.AddCause("cause", diagnosis.title, CauseAndConfidence(diagnosis));
  for (size_t i = 0; i < diagnosis.evidence.size() && i < kMaxEvidence; ++i)
    layout.AddEvidence(diagnosis.evidence[i]);
  const size_t shown = is_alone ? 2 : 1;
  for (size_t i = 0; i < diagnosis.remedies.size() && i < shown; ++i)
    layout.AddRemedy(diagnosis.remedies[i]);
  if (!is_alone || diagnosis.avoid.empty()) return;
  layout.AddBlankLine();
  for (size_t i = 0; i < diagnosis.avoid.size() && i < kMaxAvoid; ++i)
    layout.AddText(i == 0 ? "not" : "", diagnosis.avoid[i]);
}

std::string Headline(const PackageCheck& check, const std::string& package) {
  if (check.would_stop()) return absl::StrCat(package, " would not install, or not run here");
  const bool has_root =
      std::any_of(check.diagnoses.begin(), check.diagnoses.end(),
                  [](const Diagnosis& diagnosis) { return diagnosis.role == Role::kRoot; });
  return has_root ? absl::StrCat("if ", package, " compiles CUDA code, something may stop it here")
                  : absl::StrCat("nothing known would stop ", package, " here");
}

Json DiagnosisToJson(const Diagnosis& diagnosis) {
  Json json = {{"cause", diagnosis.cause},
               {"group", diagnosis.group},
               {"role", Name(diagnosis.role)},
               {"confidence", Name(diagnosis.confidence)},
               {"retry", diagnosis.retry},
               {"title", diagnosis.title},
               {"explanation", diagnosis.explanation}};
  json["evidence"] = Json::array();
  for (const Evidence& evidence : diagnosis.evidence)
    json["evidence"].push_back({{"fact", evidence.pattern}, {"text", evidence.text}});
  json["remedies"] = Json::array();
  for (const Remedy& remedy : diagnosis.remedies) json["remedies"].push_back(RemedyToJson(remedy));
  json["avoid"] = diagnosis.avoid;
  json["references"] = diagnosis.references;
  return json;
}

}  // namespace

std::string RenderCheckText(const PackageCheck& check, const RenderOptions& options) {
  TextLayout layout(options);
  std::string package = check.package;
  if (!check.version.empty()) absl::StrAppend(&package, " ", check.version);
  layout.AddHeadline(Headline(check, package));
  layout.AddText("way", check.way_says);
  std::vector<const Diagnosis*> roots;
  for (const Diagnosis& diagnosis : check.diagnoses) {
    if (diagnosis.role == Role::kRoot) roots.push_back(&diagnosis);
  }
  for (const Diagnosis* root : roots) AddRoot(*root, roots.size() == 1, layout);
  for (const Diagnosis& diagnosis : check.diagnoses) {
    if (diagnosis.role == Role::kRoot) continue;
    layout.AddBlankLine();
    layout.AddCause("besides", diagnosis.title, CauseAndConfidence(diagnosis));
    if (!diagnosis.evidence.empty()) layout.AddEvidence(diagnosis.evidence.front());
  }
  layout.AddBlankLine();
  if (!IsSaid(check.command, roots)) {
    layout.AddText(roots.empty() ? "run" : "then",
                   roots.empty() ? "install it with" : "install it");
    layout.AddCommand(check.command);
    if (!check.command_why.empty()) layout.AddText("", check.command_why);
  }
  const char* label = "unknown";
  for (const std::string& unchecked : check.unchecked) {
    layout.AddText(label, unchecked);
    label = "";
  }
  for (const Diagnosis* root : roots)
    layout.AddText(root == roots.front() ? "more" : "",
                   absl::StrCat("cudadoctor explain ", root->cause));
  return layout.Take();
}

Json CheckToJson(const PackageCheck& check) {
  Json json = {{"schema", "cudadoctor.check/1"},
               {"tool", {{"name", "cudadoctor"}, {"version", kVersion}}},
               {"requirement", check.requirement},
               {"package", check.package}};
  if (!check.version.empty()) json["version"] = check.version;
  json["known"] = check.is_known;
  json["would_stop"] = check.would_stop();
  json["way"] = {{"is", Name(check.way)}, {"says", check.way_says}};
  json["diagnoses"] = Json::array();
  for (const Diagnosis& diagnosis : check.diagnoses)
    json["diagnoses"].push_back(DiagnosisToJson(diagnosis));
  json["unchecked"] = check.unchecked;
  json["command"] = {{"run", check.command}};
  if (!check.command_why.empty()) json["command"]["why"] = check.command_why;
  return json;
}

}  // namespace cudadoctor

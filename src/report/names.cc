#include "report/names.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "report/quote.h"

namespace cudadoctor {

const char* Name(Outcome outcome) {
  switch (outcome) {
    case Outcome::kFailed:
      return "failed";
    case Outcome::kSucceeded:
      return "succeeded";
    case Outcome::kUndetermined:
      return "undetermined";
  }
  return "undetermined";
}

const char* Name(Role role) {
  switch (role) {
    case Role::kRoot:
      return "root";
    case Role::kContributing:
      return "contributing";
    case Role::kLatent:
      return "latent";
  }
  return "root";
}

const char* Name(Confidence confidence) {
  switch (confidence) {
    case Confidence::kCertain:
      return "certain";
    case Confidence::kLikely:
      return "likely";
    case Confidence::kPossible:
      return "possible";
  }
  return "possible";
}

const char* Name(Origin origin) {
  switch (origin) {
    case Origin::kLog:
      return "log";
    case Origin::kHost:
      return "host";
  }
  return "log";
}

const char* NoDiagnosis(const Report& report) {
  if (report.outcome == Outcome::kSucceeded) return "no failure: this log ends in success";
  if (report.input.lines == 0) return "the log is empty: nothing to diagnose";
  return "no failure found; the log does not show how it ended";
}

bool IsBesideRoot(const Report& report, const Diagnosis& diagnosis) {
  return diagnosis.role != Role::kRoot && !report.diagnoses.empty() &&
         report.diagnoses.front().role == Role::kRoot;
}

std::string Headline(const Report& report, const Diagnosis& diagnosis) {
  std::string package = diagnosis.package;
  if (!package.empty() && !diagnosis.package_version.empty())
    package += " " + diagnosis.package_version;
  if (diagnosis.role == Role::kLatent && IsBesideRoot(report, diagnosis))
    return package.empty() ? "also worth knowing" : package + ": also worth knowing";
  if (diagnosis.role == Role::kLatent) {
    return package.empty() ? "no failure, but something to know"
                           : package + " was built, but there is something to know";
  }
  const bool is_build = std::any_of(report.units.begin(), report.units.end(),
                                    [](const Unit& unit) { return unit.kind == "package-build"; });
  if (package.empty())
    return diagnosis.is_at_run_time ? "it does not run"
           : is_build               ? "the build failed"
                                    : "it failed";
  if (diagnosis.is_at_run_time) return package + " does not run";
  const auto is_of_build = [](const Symptom& symptom) {
    return symptom.id == "wheel-build-failed" || symptom.id == "subprocess-exited-with-error";
  };
  const bool was_built =
      diagnosis.group != "packaging" ||
      std::any_of(diagnosis.symptoms.begin(), diagnosis.symptoms.end(), is_of_build);
  return package + (was_built ? " did not build" : " was not installed");
}

std::string CauseAndConfidence(const Diagnosis& diagnosis) {
  if (diagnosis.cause == "unknown") return diagnosis.cause;
  return absl::StrCat(diagnosis.cause, ", ", Name(diagnosis.confidence));
}

std::string TitleWithCost(const Remedy& remedy) {
  return OneLine(remedy.cost.empty() ? remedy.title
                                     : absl::StrCat(remedy.title, "; costs ", remedy.cost));
}

std::string_view LimitOf(const Report& report) {
  const std::vector<std::string>& limits = report.input.limits;
  if (std::find(limits.begin(), limits.end(), "clipped-upstream") == limits.end()) return "";
  return "this log was cut before it got here; the full log may show another cause";
}

std::string Heading(const Report& report, const Diagnosis& diagnosis) {
  return diagnosis.package.empty() ? diagnosis.title : Headline(report, diagnosis);
}

}  // namespace cudadoctor

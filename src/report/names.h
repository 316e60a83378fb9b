// report/names.h: the words that reports use for the model's values.
#ifndef CUDADOCTOR_REPORT_NAMES_H_
#define CUDADOCTOR_REPORT_NAMES_H_

#include <string>
#include <string_view>

#include "model/report.h"

namespace cudadoctor {

const char* Name(Outcome outcome);
const char* Name(Role role);
const char* Name(Confidence confidence);
const char* Name(Origin origin);

// What is said of a report without a diagnosis: "no failure: this log ends in success".
const char* NoDiagnosis(const Report& report);

// Whether `diagnosis`, no root itself, stands beside a root: it takes less room then.
bool IsBesideRoot(const Report& report, const Diagnosis& diagnosis);

// What happened, in a few words: "flash-attn 2.8.3 did not build".
std::string Headline(const Report& report, const Diagnosis& diagnosis);

// The same for a heading that is read alone: where the log names no package, "it failed" says
// nothing, and it is the title.
std::string Heading(const Report& report, const Diagnosis& diagnosis);

// "cuda-version-mismatch, certain"; of an unknown cause "unknown".
std::string CauseAndConfidence(const Diagnosis& diagnosis);

// A remedy's title with what it costs, in one line.
std::string TitleWithCost(const Remedy& remedy);

// What limits the answer, for the reader of a log that was cut before it got here; else empty.
std::string_view LimitOf(const Report& report);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REPORT_NAMES_H_

// report/names.h: the words that reports use for the model's values.
#ifndef CUDADOCTOR_REPORT_NAMES_H_
#define CUDADOCTOR_REPORT_NAMES_H_

#include <string>

#include "model/report.h"

namespace cudadoctor {

const char* Name(Outcome outcome);
const char* Name(Role role);
const char* Name(Confidence confidence);
const char* Name(Origin origin);

// What is said of a report without a diagnosis: "no failure: this log ends in success".
const char* NoDiagnosis(const Report& report);

// What happened, in a few words: "flash-attn 2.8.3 did not build".
std::string Headline(const Report& report, const Diagnosis& diagnosis);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REPORT_NAMES_H_

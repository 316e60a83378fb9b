// engine/redact.h: takes out of a report what it should not tell others.
#ifndef CUDADOCTOR_ENGINE_REDACT_H_
#define CUDADOCTOR_ENGINE_REDACT_H_

#include <string>
#include <string_view>

#include "model/report.h"

namespace cudadoctor {

// `line` with tokens, passwords and account names as "***", e-mail addresses as "***@***" and home
// folders as "~" (match/secrets.h says what counts as one).
std::string RedactText(std::string_view line);

// Redacts every text of `report` that may come from a log (the input's name does not), its excerpts
// with the lines of private keys included. Columns count the bytes of the redacted text. Facts keep
// their types. Commands stay complete: variables take the place of what is hidden ($HOME,
// $HF_TOKEN), a note says what those stand for that are not set anyway, and a command in which none
// can stand is left out. Fingerprints, ids and line numbers stay as they are.
void Redact(Report& report);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_ENGINE_REDACT_H_

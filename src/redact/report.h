// redact/report.h: a report that can be shown to others, and commands in which variables stand for
// what nobody may read.
#ifndef CUDADOCTOR_REDACT_REPORT_H_
#define CUDADOCTOR_REDACT_REPORT_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/report.h"

namespace cudadoctor {

// Puts a shell variable where a command of `diagnosis` holds kMask, of the log or of us
// (https://***@host becomes https://$INDEX_CREDENTIALS@host, HF_TOKEN=*** becomes
// HF_TOKEN=$HF_TOKEN), and says in a note what it stands for. A command in which no variable can
// stand is left out, and a note says so.
void NameMasks(Diagnosis& diagnosis);

// `command` with variables for its credentials and masks, whose names are added to `used`; nothing
// where none can stand.
std::optional<std::string> NameCredentials(std::string_view command,
                                           std::vector<std::string>& used);

// Masks the credentials of a fact that does not come from a log: of a command, a variable, a file.
// A fact that no longer fits its type is emptied; its value is "" then.
void HideCredentials(Fact& fact);

// Gives people and private hosts of every text of `reports` names that tell nothing (user1, host1:
// redact/people.h), the same in all, the inputs' names included. Columns count the bytes of the
// text that is shown. Facts keep their types. Commands stay complete: $HOME and $USER take the
// place of a person, and a note says what those stand for that are not set anyway. Fingerprints,
// ids and line numbers stay as they are.
void HidePeople(std::span<Report> reports);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REDACT_REPORT_H_

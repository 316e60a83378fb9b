// redact/clean_log.h: the lines of a log as everything sees them: clean, and without credentials.
#ifndef CUDADOCTOR_REDACT_CLEAN_LOG_H_
#define CUDADOCTOR_REDACT_CLEAN_LOG_H_

#include <cstddef>
#include <string_view>
#include <vector>

#include "redact/credentials.h"
#include "text/line.h"

namespace cudadoctor {

// The line of `log` that begins at byte `begin` (lines end in '\n'): cleaned, with kMask in the
// place of every credential, then cut. Looks at the neighbours, too, where a credential may have
// been wrapped.
CleanLine CleanWithoutCredentials(std::string_view log, size_t begin);

// The text of a line, cleaned but whole, and where its credentials are.
struct LineCredentials {
  CleanLine line;
  std::vector<Span> spans;
};
LineCredentials CredentialsOfLine(std::string_view log, size_t begin);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REDACT_CLEAN_LOG_H_

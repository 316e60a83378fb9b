// redact/credentials.h: passwords, tokens and keys in the text of a log.
#ifndef CUDADOCTOR_REDACT_CREDENTIALS_H_
#define CUDADOCTOR_REDACT_CREDENTIALS_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cudadoctor {

// What stands in the place of a credential, everywhere: pip and CI systems write it, too.
inline constexpr std::string_view kMask = "***";

// Half-open bytes of a text.
struct Span {
  size_t begin = 0;
  size_t end = 0;
};

// Every credential of `text`, one whole line, in its order, without overlap: told by its structure
// (the user-info of a URL, a header, NAME_TOKEN=…, --password …, a key of JSON, a token in a path)
// or by its known form (redact/token_forms.h). What is masked already, a reference to a variable, a
// placeholder, or a plain word where a value would stand is none; neither are hashes, versions and
// symbols. A line that cannot hold any costs a look at its bytes.
std::vector<Span> FindCredentials(std::string_view text);

// The same of a line that may have been wrapped: `previous` and `next` are its neighbours as
// FindCredentials takes them, empty where OpensCredential says no of the line before and of `text`.
std::vector<Span> FindCredentials(std::string_view text, std::string_view previous,
                                  std::string_view next);

// Whether a credential may go on behind the end of `line`: a necessary condition, for raw lines,
// too.
bool OpensCredential(std::string_view line);

// `text` with kMask in the place of each of `spans`.
std::string Mask(std::string_view text, const std::vector<Span>& spans);

// Mask of what FindCredentials finds.
std::string HideCredentials(std::string_view text);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REDACT_CREDENTIALS_H_

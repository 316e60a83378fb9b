// redact/token_forms.h: tokens that their own form gives away.
#ifndef CUDADOCTOR_REDACT_TOKEN_FORMS_H_
#define CUDADOCTOR_REDACT_TOKEN_FORMS_H_

#include <string_view>
#include <vector>

#include "redact/credentials.h"

namespace cudadoctor {

// Adds every token of `text` that begins with a prefix which an issuer gives its tokens, and goes
// on as long as those do; and those that a fixed part within gives away.
void FindTokenForms(std::string_view text, std::vector<Span>& found);

// Whether `text` ends in the beginning of such a token.
bool EndsInTokenForm(std::string_view text);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REDACT_TOKEN_FORMS_H_

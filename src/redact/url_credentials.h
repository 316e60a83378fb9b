// redact/url_credentials.h: what URLs carry besides an address.
#ifndef CUDADOCTOR_REDACT_URL_CREDENTIALS_H_
#define CUDADOCTOR_REDACT_URL_CREDENTIALS_H_

#include <string_view>
#include <vector>

#include "redact/credentials.h"

namespace cudadoctor {

// Adds the user-info of every URL of `text` (user:password, a token, a user alone), also where '/',
// '@', '#' or '?' stand in a password unescaped; user:password@host without a scheme; tokens in a
// query, and in the path where a host or a conda channel (/t/TOKEN/) puts them or a part of the
// path looks like one. Not added: git@, a user of ssh, what is masked or a variable.
void FindInUrls(std::string_view text, std::vector<Span>& found);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REDACT_URL_CREDENTIALS_H_

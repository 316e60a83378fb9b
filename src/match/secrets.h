// match/secrets.h: what of a text is nobody else's business: tokens, passwords, e-mail addresses
// and the names of home folders.
#ifndef CUDADOCTOR_MATCH_SECRETS_H_
#define CUDADOCTOR_MATCH_SECRETS_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cudadoctor {

enum class SecretKind {
  kValue,    // a token, a password, a key
  kEmail,    // alice@example.org
  kHome,     // a whole home folder: /home/alice
  kAccount,  // the account's name in the path of a home folder: alice of /gpfs/home/alice
};

struct Secret {
  SecretKind kind = SecretKind::kValue;
  size_t begin = 0;  // half-open bytes of the text
  size_t end = 0;
  // A name of a shell variable that may stand for it in a command: HF_TOKEN, HOME.
  std::string variable;
};

// Everything in `text` (one line) that has the shape of a secret, or a name or a place that says so
// (NAME_TOKEN=…, --password …, https://user:…@host, Authorization: …). In the order of the text,
// without overlap. What is masked already, a reference to a variable, a placeholder or a plain word
// where a value would stand is none; neither are hashes, versions and symbols.
std::vector<Secret> FindSecrets(std::string_view text);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_MATCH_SECRETS_H_

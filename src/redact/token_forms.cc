#include "redact/token_forms.h"

#include <algorithm>
#include <array>
#include <optional>

#include "absl/strings/ascii.h"
#include "redact/expression.h"

namespace cudadoctor {
namespace {

// What a token consists of behind its prefix.
enum class Alphabet : char {
  kAlnum,  // letters and digits
  kWord,   // and '_', '-'
  kDots,   // and '.', and base64's '+', '/', '='
  kHex,    // 0-9 a-f
  kUpper,  // A-Z 2-7
};

struct Form {
  std::string_view prefix;
  Alphabet alphabet;
  size_t shortest;  // bytes behind the prefix: below what is issued, since issuers lengthen tokens
};

// Prefixes are those that the issuers document; most are in GitHub's list of supported secret
// scanning patterns (docs.github.com/code-security/secret-scanning/introduction/
// supported-secret-scanning-patterns), others where the line says.
constexpr std::array<Form, 128> kForms = {{
    {"ghp_", Alphabet::kWord, 20},
    {"gho_", Alphabet::kWord, 20},
    {"ghu_", Alphabet::kWord, 20},
    {"ghs_", Alphabet::kDots, 20},
    {"ghr_", Alphabet::kWord, 20},
    {"github_pat_", Alphabet::kWord, 20},
    // docs.gitlab.com/security/tokens, "token prefixes"
    {"glpat-", Alphabet::kDots, 16},
    {"gloas-", Alphabet::kDots, 16},
    {"gldt-", Alphabet::kDots, 16},
    {"glrt-", Alphabet::kDots, 16},
    {"glrtr-", Alphabet::kDots, 16},
    {"glcbt-", Alphabet::kDots, 16},
    {"glptt-", Alphabet::kDots, 16},
    {"glft-", Alphabet::kDots, 16},
    {"glimt-", Alphabet::kDots, 16},
    {"glagent-", Alphabet::kDots, 16},
    {"glwt-", Alphabet::kDots, 16},
    {"glsoat-", Alphabet::kDots, 16},
    {"glffct-", Alphabet::kDots, 16},
    {"GR1348941", Alphabet::kWord, 16},
    {"ATBB", Alphabet::kAlnum, 28},  // Bitbucket's app passwords
    {"ATCTT3xFfG", Alphabet::kDots, 30},
    {"ATATT3xFfG", Alphabet::kDots, 30},
    {"pypi-AgE", Alphabet::kWord, 30},
    {"hf_", Alphabet::kAlnum, 28},
    {"api_org_", Alphabet::kAlnum, 28},
    // docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html, "unique identifiers"
    {"AKIA", Alphabet::kUpper, 16},
    {"ASIA", Alphabet::kUpper, 16},
    {"ABIA", Alphabet::kUpper, 16},
    {"ACCA", Alphabet::kUpper, 16},
    {"AIza", Alphabet::kWord, 30},
    {"GOCSPX-", Alphabet::kWord, 18},
    {"ya29.", Alphabet::kDots, 20},
    {"1//0", Alphabet::kWord, 36},
    {"xoxb-", Alphabet::kWord, 10},
    {"xoxa-", Alphabet::kWord, 10},
    {"xoxp-", Alphabet::kWord, 10},
    {"xoxr-", Alphabet::kWord, 10},
    {"xoxs-", Alphabet::kWord, 10},
    {"xoxo-", Alphabet::kWord, 10},
    {"xoxe-", Alphabet::kWord, 10},
    {"xoxe.", Alphabet::kDots, 10},
    {"xapp-", Alphabet::kWord, 18},
    {"npm_", Alphabet::kAlnum, 30},
    {"dckr_pat_", Alphabet::kWord, 18},
    {"dckr_oat_", Alphabet::kWord, 18},
    {"nvapi-", Alphabet::kWord, 18},
    {"wandb_v1_", Alphabet::kWord, 30},
    {"sk-proj-", Alphabet::kWord, 18},
    {"sk-svcacct-", Alphabet::kWord, 18},
    {"sk-admin-", Alphabet::kWord, 18},
    {"sk-None-", Alphabet::kWord, 18},
    {"sk-or-", Alphabet::kWord, 18},
    {"sk-ant-", Alphabet::kWord, 18},
    {"sk-", Alphabet::kAlnum, 32},
    {"sk_live_", Alphabet::kAlnum, 14},
    {"sk_test_", Alphabet::kAlnum, 14},
    {"sk_prod_", Alphabet::kAlnum, 14},
    {"rk_live_", Alphabet::kAlnum, 14},
    {"rk_test_", Alphabet::kAlnum, 14},
    {"rk_prod_", Alphabet::kAlnum, 14},
    {"whsec_", Alphabet::kDots, 24},
    {"dapi", Alphabet::kHex, 32},
    {"dkea", Alphabet::kHex, 32},
    {"AKCp", Alphabet::kWord, 58},   // Artifactory's API keys
    {"cmVmd", Alphabet::kDots, 55},  // "ref" in base64: Artifactory's reference tokens
    {"AGE-SECRET-KEY-1", Alphabet::kAlnum, 40},
    {"SG.", Alphabet::kDots, 40},  // SendGrid
    {"key-", Alphabet::kHex, 32},  // Mailgun
    {"sq0atp-", Alphabet::kWord, 20},
    {"sq0csp-", Alphabet::kWord, 36},
    {"EAAA", Alphabet::kWord, 56},
    {"shpat_", Alphabet::kHex, 28},
    {"shpca_", Alphabet::kHex, 28},
    {"shppa_", Alphabet::kHex, 28},
    {"shpss_", Alphabet::kHex, 28},
    {"dop_v1_", Alphabet::kHex, 50},
    {"doo_v1_", Alphabet::kHex, 50},
    {"dor_v1_", Alphabet::kHex, 50},
    {"lin_api_", Alphabet::kAlnum, 28},
    {"ntn_", Alphabet::kAlnum, 30},
    {"r8_", Alphabet::kWord, 30},    // Replicate
    {"gsk_", Alphabet::kAlnum, 40},  // Groq
    {"pplx-", Alphabet::kAlnum, 40},
    {"xai-", Alphabet::kWord, 60},
    {"tgp_v1_", Alphabet::kWord, 30},
    {"lsv2_", Alphabet::kWord, 30},  // LangSmith
    {"rpa_", Alphabet::kAlnum, 30},  // RunPod
    {"hvs.", Alphabet::kWord, 20},   // developer.hashicorp.com/vault/docs/concepts/tokens
    {"hvb.", Alphabet::kWord, 20},
    {"hvr.", Alphabet::kWord, 20},
    {"pul-", Alphabet::kHex, 36},
    {"CCIPAT_", Alphabet::kWord, 30},
    {"bkua_", Alphabet::kHex, 36},
    {"dp.pt.", Alphabet::kAlnum, 36},
    {"dp.st.", Alphabet::kDots, 36},
    {"sntrys_", Alphabet::kDots, 40},
    {"sntryu_", Alphabet::kHex, 50},
    {"NRAK-", Alphabet::kAlnum, 24},
    {"glsa_", Alphabet::kWord, 32},  // Grafana
    {"glc_", Alphabet::kDots, 32},
    {"HRKU-", Alphabet::kWord, 30},
    {"fm1_", Alphabet::kDots, 60},  // Fly.io
    {"fm2_", Alphabet::kDots, 60},
    {"fo1_", Alphabet::kWord, 40},
    {"nfp_", Alphabet::kAlnum, 30},
    {"sbp_", Alphabet::kHex, 36},
    {"pscale_tkn_", Alphabet::kDots, 28},
    {"pscale_pw_", Alphabet::kDots, 28},
    {"dt0c01.", Alphabet::kDots, 60},
    {"figd_", Alphabet::kWord, 36},
    {"PMAK-", Alphabet::kWord, 50},
    {"rubygems_", Alphabet::kHex, 44},
    {"CLOJARS_", Alphabet::kAlnum, 50},
    {"EAAC", Alphabet::kAlnum, 80},
    {"oy2", Alphabet::kAlnum, 40},   // NuGet
    {"pnu_", Alphabet::kAlnum, 32},  // Prefect
    {"pnb_", Alphabet::kAlnum, 32},
    {"aio_", Alphabet::kAlnum, 26},  // Adafruit
    {"LTAI", Alphabet::kAlnum, 16},  // Alibaba
    {"AKID", Alphabet::kAlnum, 30},  // Tencent
    {"tfp_", Alphabet::kDots, 36},   // Typeform
    {"ory_", Alphabet::kDots, 40},
    {"KGAT_", Alphabet::kHex, 28},     // Kaggle
    {"sgp_", Alphabet::kWord, 38},     // Sourcegraph
    {"ops_eyJ", Alphabet::kDots, 60},  // 1Password
    {"cio", Alphabet::kAlnum, 32},     // crates.io
    {"tskey-", Alphabet::kWord, 16},   // Tailscale
}};

// What a fixed part within gives away.
const Expression& Shaped() {
  static const Expression kShaped(
      R"re((?:^|[^\w.-])(eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*|eyJ[\w-]{16,}(?:\.[\w-]*){4}|)re"  // RFC
                                                                                               // 7519
      R"re(s\.[A-Za-z0-9]{24}|[\w-]{14}\.atlasv1\.[\w-]{40,}|[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}|)re"  // Terraform,
                                                                                                        // Azure
      R"re([\w~.-]{3}\dQ~[\w~.-]{30,40}|\d{8,12}:AA[\w-]{32,}|FlyV1 \S{30,}|)re"  // Entra, Telegram
      R"re(A[CP][0-9a-f]{32}:[0-9a-f]{32}|SK[0-9a-f]{32}|[0-9a-f]{32}-us\d{1,2}|)re"  // Twilio,
                                                                                      // Mailchimp
      R"re([MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,38}|pat[A-Za-z0-9]{14}\.[0-9a-f]{60,}|)re"  // Discord,
                                                                                             // Airtable
      R"re([a-z]{2}-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}))re");  // Anaconda
  return kShaped;
}

bool IsAlnum(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)); }

bool IsOf(Alphabet alphabet, char c) {
  switch (alphabet) {
    case Alphabet::kAlnum:
      return IsAlnum(c);
    case Alphabet::kWord:
      return IsAlnum(c) || c == '_' || c == '-';
    case Alphabet::kDots:
      return IsAlnum(c) || std::string_view("_-.+/=").find(c) != std::string_view::npos;
    case Alphabet::kHex:
      return absl::ascii_isdigit(static_cast<unsigned char>(c)) || (c >= 'a' && c <= 'f');
    case Alphabet::kUpper:
      return absl::ascii_isupper(static_cast<unsigned char>(c)) || (c >= '2' && c <= '7');
  }
  return false;
}

// Words that begin like a token: sk-learn-extension-…, npm_config_…
bool IsMixed(std::string_view body) {
  return std::any_of(body.begin(), body.end(), [](char c) {
    return absl::ascii_isdigit(static_cast<unsigned char>(c)) ||
           absl::ascii_isupper(static_cast<unsigned char>(c));
  });
}

// The forms whose prefix begins with a byte, as a range of kForms would be if they were sorted.
const std::array<std::vector<const Form*>, 256>& FormsByFirst() {
  static const auto kByFirst = [] {
    std::array<std::vector<const Form*>, 256> by_first;
    for (const Form& form : kForms)
      by_first[static_cast<unsigned char>(form.prefix.front())].push_back(&form);
    return by_first;
  }();
  return kByFirst;
}

// Where the longest token that begins at `at` ends; nothing where none does. One that is not
// `whole` is cut by the end of the text.
std::optional<size_t> TokenEnd(std::string_view text, size_t at, bool whole) {
  const std::string_view rest = text.substr(at);
  std::optional<size_t> longest;
  for (const Form* form : FormsByFirst()[static_cast<unsigned char>(rest.front())]) {
    if (!whole && form->prefix.starts_with(rest)) return text.size();
    if (!rest.starts_with(form->prefix)) continue;
    size_t end = form->prefix.size();
    while (end < rest.size() && IsOf(form->alphabet, rest[end])) ++end;
    const std::string_view body = rest.substr(form->prefix.size(), end - form->prefix.size());
    if (whole ? body.size() < form->shortest || !IsMixed(body) : at + end != text.size()) continue;
    while (end > 0 && rest[end - 1] == '.') --end;
    if (!longest.has_value() || at + end > *longest) longest = at + end;
  }
  return longest;
}

bool IsBoundary(std::string_view text, size_t at) {
  return at == 0 || !(IsAlnum(text[at - 1]) || text[at - 1] == '_');
}

}  // namespace

void FindTokenForms(std::string_view text, std::vector<Span>& found) {
  for (size_t at = 0; at < text.size(); ++at) {
    if (!IsAlnum(text[at]) || !IsBoundary(text, at)) continue;
    if (const std::optional<size_t> end = TokenEnd(text, at, /*whole=*/true)) {
      found.push_back({at, *end});
      at = *end;
    }
  }
  Shaped().ForEachMatch(text, [&](const auto& groups) {
    found.push_back({Begin(text, groups[1]), End(text, groups[1])});
    return End(text, groups[1]);
  });
}

bool EndsInTokenForm(std::string_view text) {
  constexpr size_t kLongest = 300;
  size_t at = text.size() - std::min(text.size(), kLongest);
  for (; at < text.size(); ++at) {
    if (IsAlnum(text[at]) && IsBoundary(text, at) && TokenEnd(text, at, /*whole=*/false))
      return true;
  }
  return false;
}

}  // namespace cudadoctor

#include "match/secrets.h"

#include <algorithm>
#include <array>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/views.h"
#include "match/home_folders.h"
#include "re2/re2.h"

namespace cudadoctor {
namespace {

using Secrets = std::vector<Secret>;

// Bytes before an address that are looked at, so that a line of nothing but addresses takes no
// quadratic time.
constexpr size_t kMaxBefore = 300;

// Bytes, not characters: a file's name need not be UTF-8.
struct Expression : RE2 {
  explicit Expression(std::string_view text)
      : RE2(re2::StringPiece(text.data(), text.size()), RE2::Latin1) {}
};

// Tokens that their prefix gives away, with the variable that their tool reads. Prefixes and
// alphabets are those that the issuers document (GitHub's supported secret scanning patterns,
// GitLab's token prefixes, AWS's unique identifiers, RFC 7519 …); lengths are lower bounds, below
// what is issued, since issuers lengthen tokens and a rare prefix is enough.
constexpr std::array<std::pair<const char*, const char*>, 20> kShapes = {{
    {"GITHUB_TOKEN", R"(gh[pousr]_[\w.-]{30,}|github_pat_\w{22,})"},
    {"GITLAB_TOKEN",
     R"(gl(?:pat|oas|dt|rtr?|cbt|ptt|ft|imt|agent|wt|soat|ffct)-[\w-]{18,}(?:\.[\w-]+)*|GR1348941[\w-]{20,})"},
    {"PYPI_TOKEN", R"(pypi-AgE[\w-]{40,})"},
    {"HF_TOKEN", R"(hf_[A-Za-z0-9]{30,}|api_org_[A-Za-z0-9]{30,})"},
    {"AWS_ACCESS_KEY_ID", R"((?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b)"},
    {"GOOGLE_API_KEY", R"(AIza[\w-]{35}|GOCSPX-[\w-]{20,})"},
    {"GOOGLE_OAUTH_TOKEN", R"(ya29\.[\w-]{20,}|1//0[\w-]{40,})"},
    {"SLACK_TOKEN",
     R"(xox[abeoprs](?:\.xox[bp])?-[\w-]{10,}|xapp-\d-[\w-]{20,}|hooks\.slack\.com/(?:services|workflows|triggers)/[\w/-]{20,})"},
    {"NPM_TOKEN", R"(npm_[A-Za-z0-9]{36,})"},
    {"DOCKER_TOKEN", R"(dckr_[po]at_[\w-]{20,})"},
    {"NGC_API_KEY", R"(nvapi-[\w-]{20,})"},
    {"WANDB_API_KEY", R"(wandb_v\d_\w{40,}|wandb login (?:--relogin )?[0-9a-f]{40})"},
    {"OPENAI_API_KEY", R"(sk-(?:proj|svcacct|admin|None|or)-[\w-]{20,}|sk-[A-Za-z0-9]{32,})"},
    {"ANTHROPIC_API_KEY", R"(sk-ant-[\w-]{20,})"},
    {"STRIPE_API_KEY", R"([srp]k_(?:live|test|prod)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{30,})"},
    {"DATABRICKS_TOKEN", R"(dapi[0-9a-f]{32}(?:-\d)?)"},
    {"ARTIFACTORY_TOKEN", R"(AKCp[A-Za-z0-9_-]{60,}|cmVmd[A-Za-z0-9]{55,})"},
    {"JWT", R"(eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*|eyJ[\w-]{16,}(?:\.[\w-]*){4})"},
    {"AZURE_TOKEN", R"([A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}\b)"},
    {"AGE_KEY", R"(AGE-SECRET-KEY-1[A-Z0-9]{50,})"},
}};

// Calls `take` with the groups of every match of `regex`; it says from which byte on to search.
template <typename Take>
void ForEachMatch(std::string_view text, const RE2& regex, const Take& take) {
  const re2::StringPiece piece(text.data(), text.size());
  const int count = regex.NumberOfCapturingGroups() + 1;
  std::vector<re2::StringPiece> groups(static_cast<size_t>(count));
  std::vector<std::string_view> views(groups.size());
  for (size_t at = 0; at <= text.size() &&
                      regex.Match(piece, at, text.size(), RE2::UNANCHORED, groups.data(), count);) {
    for (size_t i = 0; i < groups.size(); ++i) views[i] = {groups[i].data(), groups[i].size()};
    at = std::max(take(views), at + 1);
  }
}

size_t Begin(std::string_view text, std::string_view part) {
  return static_cast<size_t>(part.data() - text.data());
}

size_t End(std::string_view text, std::string_view part) { return Begin(text, part) + part.size(); }

void Add(std::string_view text, std::string_view part, std::string variable, Secrets& secrets) {
  secrets.push_back({SecretKind::kValue, Begin(text, part), End(text, part), std::move(variable)});
}

bool FullMatch(std::string_view text, const RE2& regex) {
  return RE2::FullMatch(re2::StringPiece(text.data(), text.size()), regex);
}

// What stands where a secret would, and is none.
bool IsPlaceholder(std::string_view value) {
  static const Expression kPlaceholder(
      R"re((?is)[*xX.#-]*|[*]{3}.*|[$%<\[{(=:@].*|)re"  // masked, a variable, <token>
      R"re((?:id|type|src|env)=.*|)re"                  // docker --secret id=
      R"re((?:true|false|yes|no|on|off|null|nil|none|0|1),?|)re"
      R"re((?:[\w.]*[._])?(?:token|password|passwd|secret|key|credentials?|pass)|)re"  // self.token
      R"re((?:your|insert|enter)[_ -].*|(?:self|os|args|config|settings)\..*|)re"
      R"re([\d.:~+,-]*[.:][\d.:~+,-]*|)re"  // a version, a line and a column
      R"re((?:\w+\.)?(?:optional|union|list|dict)\[.*|(?:str|string|bytes|int|bool|optional|any|object|option|char|const|std::.*|)re"
      R"re(not|is|was|has|missing|set|unset|empty|required|invalid|expired|ok|found|redacted|masked|)re"
      R"re(hidden|denied|incorrect|wrong|authentication|for|or|and|the|must|cannot|could|unknown)[.,!]?)re");
  return FullMatch(value, kPlaceholder);
}

// Long enough and mixed enough to be no word, no path and no expression.
bool LooksRandom(std::string_view value) {
  static const Expression kToken(R"([A-Za-z0-9_~+=-][\w.~+/=%@:-]{11,})");
  static const Expression kMixed(R"(.*\d.*[A-Za-z].*|.*[A-Za-z].*\d.*)");
  return FullMatch(value, kToken) && FullMatch(value, kMixed) &&
         !absl::StrContains(Absl(value), "::");
}

bool IsPath(std::string_view value) {
  static const Expression kPath(
      R"((?is)(?:/|~|\.{1,2}/|[a-z]:[\\/]).*|.*\.(?:json|pem|key|txt|ya?ml|env|crt))");
  return FullMatch(value, kPath);
}

// NAME of -DNAME=, --name or "name" as a shell variable; `otherwise` when it can be none.
std::string VariableOf(std::string_view name, std::string_view otherwise) {
  if (name.starts_with("-D")) name.remove_prefix(2);
  while (!name.empty() && !absl::ascii_isalpha(static_cast<unsigned char>(name.front())))
    name.remove_prefix(1);
  std::string variable = absl::AsciiStrToUpper(Absl(name));
  for (char& c : variable) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return variable.empty() ? std::string(otherwise) : variable;
}

void FindShapes(std::string_view text, Secrets& secrets) {
  static const Expression kShape([] {
    std::vector<std::string> shapes;
    for (const auto& shape : kShapes) shapes.push_back(absl::StrCat("(", shape.second, ")"));
    return absl::StrCat(R"(\b(?:)", absl::StrJoin(shapes, "|"), ")");
  }());
  ForEachMatch(text, kShape, [&](const auto& groups) {
    for (size_t i = 1; i < groups.size(); ++i) {
      if (groups[i].empty()) continue;
      std::string_view token = groups[i];
      if (token.starts_with("wandb login ")) token.remove_prefix(token.rfind(' ') + 1);
      while (token.ends_with('.')) token.remove_suffix(1);
      Add(text, token, kShapes[i - 1].first, secrets);
    }
    return End(text, groups[0]);
  });
}

// Whether what a name ends in says that its value is secret.
bool SaysSecret(std::string_view name, std::string_view word, std::string_view separator,
                std::string_view value) {
  const bool is_option = name.starts_with("--");
  const bool has_blank_only = separator.find_first_of("=:") == std::string_view::npos;
  if (has_blank_only && (!is_option || value.starts_with('-'))) return false;
  // An expression of a program, quoted in a traceback: password = fields["x"].
  static const Expression kIndexed(R"(\w[\w.]*\[\d{0,3})");
  if (separator.find(' ') != std::string_view::npos && FullMatch(value, kIndexed)) return false;
  while (name.starts_with('-')) name.remove_prefix(1);
  const bool is_upper = std::none_of(name.begin(), name.end(), [](char c) {
    return absl::ascii_islower(static_cast<unsigned char>(c));
  });
  const std::string kind = absl::AsciiStrToLower(Absl(word));
  if (kind == "_pass" || kind == "_pwd") return is_upper && !IsPath(value);
  const bool is_password = kind.starts_with("pass");
  const bool is_key = kind.ends_with("key");
  if ((is_key || kind.starts_with("credential")) && IsPath(value)) return false;
  if (is_upper || is_option || is_password || is_key) return true;
  // Compilers and tokenizers speak of tokens: a name in small letters needs a value that shows it.
  return LooksRandom(value);
}

// The value at `begin`: in quotes, which may be escaped, or up to what ends a word. It is found
// without a regular expression, which would read to the end of a line for each of many names.
std::string_view ValueAt(std::string_view text, size_t begin) {
  size_t quote = begin;
  while (quote < text.size() && text[quote] == '\\') ++quote;
  std::string_view value = text.substr(begin);
  if (quote < text.size() && (text[quote] == '"' || text[quote] == '\'')) {
    value = text.substr(quote + 1);
    value = value.substr(0, value.find(text[quote]));
  } else {
    value = value.substr(0, value.find_first_of(" \t\"'`&|;<>(){}"));
    if (End(text, value) < text.size() && text[End(text, value)] == '(') return {};  // a call
  }
  while (value.ends_with(',') || value.ends_with('\\') || value.ends_with(']'))
    value.remove_suffix(1);
  return value;
}

// NAME_TOKEN=value, --password value, "api_key": "value".
void FindNamed(std::string_view text, Secrets& secrets) {
  static const Expression kNamed(
      R"re((?i)([\w.-]*?(token|secret|passw(?:or)?d|passphrase|_pwd|_pass|)re"
      R"re((?:api|access|secret|private|account|auth|signing|encryption|shared)[_-]?key|credentials?)))re"
      R"re((\\*["']?(?:[ \t]*(?:=>|:=|:)[ \t]*|[ \t]+=[ \t]*|=)|[ \t]+))re");
  ForEachMatch(text, kNamed, [&](const auto& groups) {
    const size_t begin = End(text, groups[0]);
    const std::string_view value = ValueAt(text, begin);
    if (value.empty() || IsPlaceholder(value) ||
        !SaysSecret(groups[1], groups[2], groups[3], value)) {
      return begin;
    }
    Add(text, value, VariableOf(groups[1], "SECRET"), secrets);
    return End(text, value);
  });
}

// https://user:password@host, https://token@host, and what a query of a URL may carry.
void FindInUrls(std::string_view text, Secrets& secrets) {
  static const Expression kUser(
      R"re(([A-Za-z][A-Za-z0-9+.-]*)://(?:([^\s/:@"'<>?#]*):([^\s/"'<>]+)|([^\s/:@"'<>?#]{16,}))@)re");
  ForEachMatch(text, kUser, [&](const auto& groups) {
    const bool is_git = groups[1].starts_with("git") || groups[1] == "ssh";
    const std::string variable = is_git ? "GIT_PASSWORD" : "INDEX_PASSWORD";
    if (!groups[3].empty()) {
      if (!IsPlaceholder(groups[3])) Add(text, groups[3], variable, secrets);
    } else if (LooksRandom(groups[4])) {
      Add(text, groups[4], variable, secrets);
    }
    return End(text, groups[0]);
  });
  static const Expression kQuery(
      R"re((?i)[?&;]([\w-]*token|sig|signature|x-amz-signature|x-amz-credential|x-goog-signature|)re"
      R"re(x-goog-credential|awsaccesskeyid|api_?key|password|passwd|[\w-]*secret|jwt|policy)=)re"
      R"re(([^&\s"'`<>#();]{8,}))re");
  ForEachMatch(text, kQuery, [&](const auto& groups) {
    if (!IsPlaceholder(groups[2]))
      Add(text, groups[2], absl::StrCat("URL_", VariableOf(groups[1], "SECRET")), secrets);
    return End(text, groups[2]);
  });
}

// What headers, login commands, .netrc and key files carry.
void FindInPlaces(std::string_view text, Secrets& secrets) {
  static const Expression kHeader(
      R"re((?i)authorization\\*["']?\s*[:=]\s*\\*["']?(basic|bearer|token|digest|negotiate|apikey)\s+([^\s"'\\,]+))re"
      R"re(|\b(bearer)\s+([\w.~+/=-]{16,}))re");
  ForEachMatch(text, kHeader, [&](const auto& groups) {
    const std::string_view value = groups[2].empty() ? groups[4] : groups[2];
    if (!IsPlaceholder(value) && (!groups[2].empty() || LooksRandom(value)))
      Add(text, value, "AUTHORIZATION", secrets);
    return End(text, groups[0]);
  });
  static const Expression kLogin(
      R"re(\bcurl\b[^|;&]*?\s(?:-u|--user)[ =]?["']?[^\s:"']+:([^\s"']+))re"
      R"re(|(?:\blogin\b|\btwine upload\b)[^|;&]*?\s-p[ =]?["']?([^\s"'-][^\s"']*))re"
      R"re(|\blogin\s+\S+\s+password\s+(\S+))re"
      R"re(|-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----\s*(\S.*?)\s*(?:-----END |$))re");
  ForEachMatch(text, kLogin, [&](const auto& groups) {
    for (size_t i = 1; i < groups.size(); ++i) {
      if (!groups[i].empty() && !IsPlaceholder(groups[i]))
        Add(text, groups[i], i == 4 ? "PRIVATE_KEY" : "LOGIN_PASSWORD", secrets);
    }
    return End(text, groups[0]);
  });
}

void FindEmails(std::string_view text, Secrets& secrets) {
  // Two letters are a country, or the end of a file's name; longer ends are the common ones, since
  // x@y.transpose is no address.
  static const Expression kEmail(
      R"re((?:^|[^\w.+%/@*-])([A-Za-z0-9][\w.+%-]*)@((?:[A-Za-z0-9-]+\.)+)re"
      R"re((?:com|org|net|edu|gov|mil|int|info|biz|dev|app|tech|cloud|online|xyz|email|name|science|local|internal|corp|lan|test|example|[a-z]{2})))re"
      R"re((\.?[\w(@-]|:[^\s]|/|$|.))re");
  static const Expression kNot(R"re((?s)(?:\d+|v\d+)\..*|.*\.(?:py|so|js|ts|gz|xz|hh|cu|md))re");
  // A host to log in to is no address.
  static const Expression kRemote(R"re((?s).*\b(?:ssh|scp|sftp|rsync|mosh)\s[^|;&]*)re");
  ForEachMatch(text, kEmail, [&](const auto& groups) {
    const std::string_view next = groups[3];
    const bool goes_on =
        next.size() > 1 || next == "(" || next == "@" || next == "-" || next == "/" ||
        (!next.empty() && absl::ascii_isalnum(static_cast<unsigned char>(next[0])));
    const std::string_view user = groups[1];
    std::string_view before = text.substr(0, Begin(text, user));
    before.remove_prefix(before.size() - std::min(before.size(), kMaxBefore));
    const size_t word = before.find_last_of(" \t") + 1;
    const bool is_in_url = before.find("://", word) != std::string_view::npos;
    if (!goes_on && !is_in_url && user != "git" && user != "hg" && user != "svn" &&
        !FullMatch(groups[2], kNot) && !FullMatch(before, kRemote)) {
      secrets.push_back({SecretKind::kEmail, Begin(text, user), End(text, groups[2]), "EMAIL"});
    }
    return End(text, groups[2]);
  });
}

}  // namespace

std::vector<Secret> FindSecrets(std::string_view text) {
  Secrets all;
  FindNamed(text, all);
  FindInUrls(text, all);
  FindInPlaces(text, all);
  FindShapes(text, all);
  FindEmails(text, all);
  for (const HomeFolder& home : FindHomeFolders(text)) {
    all.push_back({home.is_whole ? SecretKind::kHome : SecretKind::kAccount, home.begin, home.end,
                   home.is_whole        ? "HOME"
                   : home.is_of_windows ? "WINDOWS_USER"
                                        : "USER"});
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Secret& a, const Secret& b) { return a.begin < b.begin; });
  Secrets secrets;
  for (Secret& secret : all) {
    if (secrets.empty() || secret.begin >= secrets.back().end) {
      secrets.push_back(std::move(secret));
      continue;
    }
    Secret& last = secrets.back();
    last.end = std::max(last.end, secret.end);
    if (last.kind != SecretKind::kValue && secret.kind == SecretKind::kValue) {
      last.kind = secret.kind;
      last.variable = std::move(secret.variable);
    }
  }
  return secrets;
}

}  // namespace cudadoctor

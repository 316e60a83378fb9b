#include "redact/url_credentials.h"

#include <algorithm>
#include <array>
#include <optional>

#include "absl/strings/ascii.h"
#include "redact/expression.h"
#include "redact/value_shape.h"

namespace cudadoctor {
namespace {

bool IsAlnum(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)); }

bool AllDigits(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); });
}

// Whether a host stands at the start of `text`: a name with a dot that is no version, an address,
// or a name with a port.
bool BeginsWithHost(std::string_view text) {
  static const Expression kHost(
      R"re((?is)(?:(?:[a-z0-9_-]+\.)+[a-z][a-z0-9-]+|localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\]|[a-z0-9_-]+:\d+)(?:[:/?#"'`,;)>\]\s].*|\.?))re");
  static const Expression kVersion(R"re((?is)v?\d+(?:\.[0-9a-z]+)*(?:[/?#].*)?)re");
  static const Expression kAddress(R"re((?s)\d{1,3}(?:\.\d{1,3}){3}(?:[:/?#].*)?)re");
  return kHost.MatchesWhole(text) && (!kVersion.MatchesWhole(text) || kAddress.MatchesWhole(text));
}

// Where the user-info of `rest`, what follows "://", ends; nothing when there is none.
std::optional<size_t> UserInfoEnd(std::string_view rest) {
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?#\\"));
  const auto last_host = [&rest](size_t from) -> std::optional<size_t> {
    for (size_t at = rest.rfind('@'); at != std::string_view::npos && at > from;
         at = at == 0 ? std::string_view::npos : rest.rfind('@', at - 1)) {
      if (BeginsWithHost(rest.substr(at + 1))) return at;
    }
    return std::nullopt;
  };
  const size_t colon = authority.find(':');
  if (const size_t at = authority.rfind('@'); at != std::string_view::npos) {
    // A password may hold what ends an authority.
    const bool has_password = colon != std::string_view::npos && colon < at;
    if (has_password && !BeginsWithHost(rest.substr(at + 1))) return last_host(at).value_or(at);
    return at;
  }
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view user = authority.substr(0, colon);
  const bool is_port = AllDigits(authority.substr(colon + 1));
  if (is_port && (user.find('.') != std::string_view::npos || user == "localhost" ||
                  user.find('[') != std::string_view::npos))
    return std::nullopt;
  return last_host(colon);
}

bool IsSecretUserInfo(std::string_view scheme, std::string_view info) {
  static constexpr std::array<std::string_view, 9> kPublicUsers = {
      "git", "hg", "svn", "anonymous", "x-access-token", "oauth2", "__token__", "user", "username"};
  const size_t colon = info.find(':');
  const std::string_view user = info.substr(0, colon);
  if (colon == std::string_view::npos || colon + 1 == info.size()) {
    const bool is_login = scheme.ends_with("ssh") || scheme == "scp" || scheme == "sftp" ||
                          scheme == "rsync" || scheme == "smb";
    return !user.empty() && !is_login && !IsPlaceholder(user) &&
           std::find(kPublicUsers.begin(), kPublicUsers.end(), user) == kPublicUsers.end();
  }
  static const Expression kVariable(
      R"re((?s)[*]{3,}|\$\w+|\$?\{.*\}|\$\(.*\)|%\w+%|<.*>|x{3,}|\[[\w-]+\]|)re");
  return !kVariable.MatchesWhole(info.substr(colon + 1));
}

void FindUserInfo(std::string_view text, std::vector<Span>& found) {
  for (size_t at = text.find("://"); at != std::string_view::npos; at = text.find("://", at + 3)) {
    size_t scheme = at;
    while (scheme > 0 && at - scheme < 32 &&
           (IsAlnum(text[scheme - 1]) ||
            std::string_view("+.-").find(text[scheme - 1]) != std::string_view::npos))
      --scheme;
    if (scheme == at) continue;
    const size_t begin = at + 3;
    const char quote = scheme > 0 ? text[scheme - 1] : '\0';
    const std::string_view stops = quote == '"' ? " \t\"<>" : " \t\"'`<>";
    const std::string_view word = text.substr(begin, text.find_first_of(stops, begin) - begin);
    std::optional<size_t> end = UserInfoEnd(word);
    if (!end.has_value() && begin + word.size() < text.size() && text[begin + word.size()] != ' ' &&
        word.find(':') != std::string_view::npos && word.find('/') == std::string_view::npos) {
      // Perhaps a quote of the password.
      const std::string_view longer = text.substr(begin, text.find_first_of(" \t", begin) - begin);
      end = UserInfoEnd(longer);
      if (end.has_value() && longer.find("://") < *end) end.reset();
    }
    if (!end.has_value() || *end == 0) continue;
    const std::string_view info = text.substr(begin, *end);
    if (IsSecretUserInfo(text.substr(scheme, at - scheme), info))
      found.push_back({begin, begin + *end});
  }
}

void FindWithoutScheme(std::string_view text, std::vector<Span>& found) {
  static const Expression kLogin(
      R"re((?i)(?:^|[\s"'=,(])([\w.%+-]{1,64}:[^\s@/:"'<>,;(){}]{3,128})@((?:[a-z0-9-]+\.)+[a-z]{2,}|localhost|\d{1,3}(?:\.\d{1,3}){3})(?:[:/"'\s,;)]|$))re");
  static const Expression kNot(
      R"re((?is)(?:mailto|npm|file|git|pkg|sha256|sha1|md5|https?|\d+):.*|.*:(?:[$*<{%].*|v?\d[\d.]*))re");
  kLogin.ForEachMatch(text, [&](const auto& groups) {
    if (!kNot.MatchesWhole(groups[1]))
      found.push_back({Begin(text, groups[1]), End(text, groups[1])});
    return End(text, groups[2]);
  });
}

// A part of a path that no person wrote: long, with letters of both cases and digits.
bool IsRandomPart(std::string_view part) {
  static const Expression kPart(R"re([A-Za-z0-9_~=-]{20,})re");
  const auto count = [part](auto is) {
    return std::count_if(part.begin(), part.end(),
                         [is](char c) { return is(static_cast<unsigned char>(c)); });
  };
  return kPart.MatchesWhole(part) && count(absl::ascii_isdigit) >= 3 &&
         count(absl::ascii_isupper) >= 3 && count(absl::ascii_islower) >= 3;
}

void FindInPath(std::string_view text, std::vector<Span>& found) {
  // conda's and Anaconda's channels, and the hosts that put a token into the path, as they
  // document.
  static const Expression kPlace(
      R"re((?i)(?:^|[\s/])t/([^/\s"'<>*]{6,})/|pypi\.fury\.io/([\w-]{12,})(?:/|$)|dl\.cloudsmith\.io/([\w-]{12,})/|)re"
      R"re(packagecloud\.io/(?:priv/)?([0-9a-f]{32,})/|hooks\.slack\.com/(?:services|workflows|triggers)/([\w/-]{20,})|)re"
      R"re(discord(?:app)?\.com/api/webhooks/(\d+/[\w-]{20,})|api\.telegram\.org/(?:file/)?bot(\d+:[\w-]{20,})|)re"
      R"re(\.webhook\.office\.com/(\S{20,})|hooks\.zapier\.com/hooks/catch/([\w/]{8,}))re");
  kPlace.ForEachMatch(text, [&](const auto& groups) {
    for (size_t i = 1; i < groups.size(); ++i) {
      const bool is_word = i == 1 && !LooksRandom(groups[i]) &&
                           text.find("://") > Begin(text, groups[i]) &&
                           text.find("/t/") != Begin(text, groups[0]);
      if (!groups[i].empty() && !is_word)
        found.push_back({Begin(text, groups[i]), End(text, groups[i])});
    }
    return End(text, groups[0]);
  });
  static const Expression kUrl(R"re((?i)https?://[^/\s"'<>]+(/[^\s"'<>?#]*))re");
  kUrl.ForEachMatch(text, [&](const auto& groups) {
    std::string_view path = groups[1];
    while (!path.empty()) {
      path.remove_prefix(1);
      const std::string_view part = path.substr(0, path.find('/'));
      if (IsRandomPart(part)) found.push_back({Begin(text, part), End(text, part)});
      path.remove_prefix(part.size());
    }
    return End(text, groups[0]);
  });
}

void FindInQuery(std::string_view text, std::vector<Span>& found) {
  static const Expression kQuery(
      R"re((?i)[?&;](?:[\w-]*token|sig|signature|x-amz-signature|x-amz-credential|x-goog-signature|)re"
      R"re(x-goog-credential|awsaccesskeyid|googleaccessid|api_?key|key|password|passwd|pwd|[\w-]*secret|jwt|policy|auth|code)=)re"
      R"re(([^&\s"'`<>#();]{6,}))re");
  kQuery.ForEachMatch(text, [&](const auto& groups) {
    const bool is_code = groups[0].substr(1).starts_with("code=");
    if (!IsPlaceholder(groups[1]) && (!is_code || LooksRandom(groups[1])))
      found.push_back({Begin(text, groups[1]), End(text, groups[1])});
    return End(text, groups[1]);
  });
}

}  // namespace

void FindInUrls(std::string_view text, std::vector<Span>& found) {
  if (text.find("://") != std::string_view::npos) FindUserInfo(text, found);
  if (text.find('@') != std::string_view::npos && text.find(':') != std::string_view::npos)
    FindWithoutScheme(text, found);
  if (text.find('/') != std::string_view::npos) FindInPath(text, found);
  if (text.find_first_of("?&") != std::string_view::npos) FindInQuery(text, found);
}

}  // namespace cudadoctor

#include "redact/credentials.h"

#include <algorithm>
#include <array>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/views.h"
#include "redact/expression.h"
#include "redact/token_forms.h"
#include "redact/url_credentials.h"
#include "redact/value_shape.h"

namespace cudadoctor {
namespace {

using Spans = std::vector<Span>;

// Bytes on either side of a line's end that a wrapped credential is looked for in.
constexpr size_t kJoinedBytes = 4 << 10;

// Columns from which on a line may have been wrapped rather than ended.
constexpr size_t kWrappedWidth = 60;

// What a line may hold, told by its bytes.
struct Hints {
  bool has_name = false;   // a word that announces a secret
  bool has_place = false;  // a header, a login, a key
  bool has_url = false;
  bool has_run = false;  // a word as long as a token
};

bool ContainsAt(std::string_view text, size_t at, std::string_view lower) {
  if (text.size() - at < lower.size()) return false;
  for (size_t i = 0; i < lower.size(); ++i) {
    if (absl::ascii_tolower(static_cast<unsigned char>(text[at + i])) != lower[i]) return false;
  }
  return true;
}

Hints HintsOf(std::string_view text) {
  constexpr size_t kShortestToken = 16;
  Hints hints;
  size_t run = 0;
  const auto any = [&](size_t at, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return ContainsAt(text, at, word); });
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool in_run = absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' ||
                        c == '-' || c == '.' || c == '/' || c == '+';
    run = in_run ? run + 1 : 0;
    hints.has_run = hints.has_run || run >= kShortestToken;
    switch (c) {
      case 't':
      case 'T':
        hints.has_name = hints.has_name || ContainsAt(text, i, "token");
        break;
      case '_':
        hints.has_name = hints.has_name || ContainsAt(text, i, "_pat=");
        break;
      case 's':
      case 'S':
        hints.has_name = hints.has_name || any(i, {"secret", "session"});
        break;
      case 'p':
      case 'P':
        hints.has_name = hints.has_name || any(i, {"pass", "pwd"});
        hints.has_place = hints.has_place || ContainsAt(text, i, "private key");
        break;
      case 'k':
      case 'K':
        hints.has_name = hints.has_name || ContainsAt(text, i, "key");
        hints.has_place = hints.has_place || any(i, {"key:", "key'", "key\""});
        break;
      case 'c':
      case 'C':
        hints.has_name = hints.has_name || ContainsAt(text, i, "credential");
        hints.has_place = hints.has_place || any(i, {"cookie", "curl"});
        break;
      case '*':
      case ':':
        hints.has_place =
            hints.has_place || (c == '*' && i > 0 && text[i - 1] == ':') || (i == 1 && c == ':');
        hints.has_url = hints.has_url || text.substr(i, 3) == "://";
        break;
      case 'a':
      case 'A':
        hints.has_place = hints.has_place || ContainsAt(text, i, "auth");
        break;
      case 'b':
      case 'B':
        hints.has_place = hints.has_place || ContainsAt(text, i, "bearer");
        break;
      case 'l':
      case 'L':
        hints.has_place = hints.has_place || ContainsAt(text, i, "login");
        break;
      case 'u':
      case 'U':
        hints.has_place = hints.has_place || any(i, {"upload", "user "});
        break;
      case '@':
        hints.has_url = true;
        break;
      case '/':
        hints.has_url =
            hints.has_url ||
            (i > 0 && text.substr(i - 1, 3) == "t/" + std::string(text.substr(i + 1, 1)) &&
             (i == 1 || !absl::ascii_isalnum(static_cast<unsigned char>(text[i - 2]))));
        break;
      default:
        break;
    }
  }
  hints.has_place = hints.has_place || hints.has_name;
  return hints;
}

void Add(std::string_view text, std::string_view part, Spans& found) {
  found.push_back({Begin(text, part), End(text, part)});
}

// Whether what a name ends in says that its value is secret.
bool SaysSecret(std::string_view before, std::string_view name, std::string_view word,
                std::string_view separator, std::string_view value, bool is_quoted) {
  const bool is_option = name.starts_with("--");
  const bool has_blank_only = separator.find_first_of("=:") == std::string_view::npos;
  while (name.starts_with('-')) name.remove_prefix(1);
  const bool is_upper = std::none_of(name.begin(), name.end(), [](char c) {
    return absl::ascii_islower(static_cast<unsigned char>(c));
  });
  const std::string kind = absl::AsciiStrToLower(Absl(word));
  if (has_blank_only && is_quoted && kind.starts_with("pass") && value.size() > 2) return true;
  if (has_blank_only) {
    // Dockerfile's older form of ENV has no "=".
    const bool is_env = is_upper && (before.ends_with("ENV ") || before.ends_with("env ") ||
                                     before.ends_with("setx "));
    if (!is_env && (!is_option || value.starts_with('-'))) return false;
  }
  // An expression of a program, quoted in a traceback: password = fields["x"].
  static const Expression kIndexed(R"(\w[\w.]*\[\d{0,3})");
  if (separator.find(' ') != std::string_view::npos && kIndexed.MatchesWhole(value)) return false;
  if (kind == "_pass" || kind == "_pwd") return is_upper && !IsPath(value);
  if (kind == "pwd") return !IsPath(value) && !name.ends_with("OLDPWD") && separator == "=";
  if (kind == "_key" || kind == "_pat" || kind.starts_with("session"))
    return LooksRandom(value) && !IsPath(value);
  const bool is_password = kind.starts_with("pass");
  const bool is_key = absl::StrContains(kind, "key");
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
  constexpr std::string_view kQuoteInQuotes = "'\\''";  // of a shell's word
  if (value.starts_with(kQuoteInQuotes)) {
    value.remove_prefix(kQuoteInQuotes.size());
    return value.substr(0, value.find('\''));
  }
  constexpr std::string_view kCurly = "\xe2\x80";
  if (value.starts_with(kCurly) && value.size() > 3) {
    value.remove_prefix(kCurly.size() + 1);
    return value.substr(0, std::min(value.find(kCurly), value.find(' ')));
  }
  if (quote + 1 < text.size() && text[quote] == '$' &&
      (text[quote + 1] == '\'' || text[quote + 1] == '"'))
    ++quote;  // a shell's $'…'
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
void FindNamed(std::string_view text, Spans& found) {
  static const Expression kNamed(
      R"re((?i)([\w.-]*?(token|secret|passw(?:or)?d|passphrase|_pwd|_pass|\bpwd|session(?:_?id|_?key)?|)re"
      R"re(_pat|(?:api|access|secret|private|account|auth|signing|encryption|shared)[_-]?key(?:_base)?|_key|credentials?)\d*))re"
      R"re((\\*["']?(?:[ \t]*(?:=>|:=|:)[ \t]*|[ \t]+=[ \t]*|=)|[ \t]+))re");
  kNamed.ForEachMatch(text, [&](const auto& groups) {
    const size_t begin = End(text, groups[0]);
    std::string_view value = ValueAt(text, begin);
    if (value.empty()) {  // <<value>>
      const size_t inside = text.find_first_not_of("<[{", begin);
      if (inside != std::string_view::npos) value = ValueAt(text, inside);
      if (!LooksRandom(value)) return begin;
    }
    const bool is_quoted = Begin(text, value) > begin;
    if (IsPlaceholder(value) || !SaysSecret(text.substr(0, Begin(text, groups[1])), groups[1],
                                            groups[2], groups[3], value, is_quoted)) {
      return begin;
    }
    Add(text, value, found);
    return End(text, value);
  });
}

// The value of a header at `begin`: up to the quote that is open there, else as long as its words
// go on (`is_list`: "a=b; c=d").
std::string_view HeaderValue(std::string_view text, size_t begin, char quote, bool is_list) {
  std::string_view rest = text.substr(begin);
  if (quote != '\0') return rest.substr(0, std::min(rest.find(quote), rest.find('\\')));
  size_t end = 0;
  do {
    while (end < rest.size() && rest[end] == ' ') ++end;
    const size_t stop = rest.find_first_of(" \t\"'\\`<>", end);
    end = stop == std::string_view::npos ? rest.size() : stop;
  } while (is_list && end < rest.size() && (rest[end - 1] == ';' || rest[end - 1] == ',') &&
           rest[end] == ' ');
  return rest.substr(0, end);
}

void FindInHeaders(std::string_view text, Spans& found) {
  static const Expression kHeader(
      R"re((?i)(?:^|[^\w-]|\\[rnt])((?:proxy-)?authorization|(?:set-)?cookie2?|x-[\w-]*(?:token|key|auth|secret|password|session|jfrog-art-api)[\w-]*|)re"
      R"re((?:private|job|deploy|ci-job|access|auth|api)-?(?:token|key)|apikey|_auth(?:token)?|auth)re"
      R"re()(\\*["']?\s*(?:[:=]|,\s)\s*(?:b?\\*(["']))?)((?:basic|bearer|token|digest|negotiate|ntlm|apikey|aws4-hmac-sha256|ssws|key)(?:\s+|$))?)re");
  kHeader.ForEachMatch(text, [&](const auto& groups) {
    const std::string name = absl::AsciiStrToLower(Absl(groups[1]));
    const bool has_scheme = !groups[4].empty();
    const size_t begin = End(text, groups[0]);
    const bool is_list = absl::StrContains(name, "cookie") ||
                         absl::StartsWithIgnoreCase(Absl(groups[4]), "digest") ||
                         absl::StartsWithIgnoreCase(Absl(groups[4]), "aws4");
    const std::string_view value =
        HeaderValue(text, begin, groups[3].empty() ? '\0' : groups[3].front(), is_list);
    // The prompt of pip, or words about a header.
    const bool is_sure = has_scheme || LooksRandom(value) || absl::StrContains(name, "-") ||
                         (is_list && absl::StrContains(Absl(value), "="));
    const bool is_short_name = name == "auth" || name == "_auth";
    const bool is_base64 = value.size() >= 8 && value.ends_with('=');
    if (!value.empty() && !IsPlaceholder(value) &&
        (is_short_name ? LooksRandom(value) || is_base64 || name == "_auth" : is_sure))
      Add(text, value, found);
    return std::max(begin, End(text, value));
  });
  static const Expression kBearer(R"re((?i)\bbearer\s+([\w.~+/=-]{12,}))re");
  kBearer.ForEachMatch(text, [&](const auto& groups) {
    if (LooksRandom(groups[1])) Add(text, groups[1], found);
    return End(text, groups[0]);
  });
}

// What login commands, .netrc and key files carry.
void FindInPlaces(std::string_view text, Spans& found) {
  static const Expression kLogin(
      R"re(\b(?:curl|wget|http|https)\b[^|;&]*?\s(?:-u|-U|--user|--proxy-user)[ =]?["']?[^\s:"']+:([^\s"']+))re"
      R"re(|(?:\blogin\b|\btwine upload\b)[^|;&]*?\s-p[ =]?["']?([^\s"'-][^\s"']*))re"
      R"re(|\bauth\s*=\s*\(\s*["'][^"']*["']\s*,\s*["']([^"']+)|(?:^|\s)[^\s:]+:(?:\*|\d{4,5}):[^\s:]+:[^\s:]+:(\S+)$)re"
      R"re(|\bpoetry config (?:--\S+ )*(?:http-basic\.\S+\s+\S+|pypi-token\.\S+)\s+(\S+))re"
      R"re(|\bsshpass -p\s?["']?([^\s"']+)|\bopenssl\b[^|;&]*\s-k\s+["']?([^\s"']+)|\s-pass(?:in|out)?\s+pass:([^\s"']+))re"
      R"re(|\b(?:echo|printf)\s+(?:-n\s+)?["']?([^\s"'|]+)["']?\s*\|[^|]*--(?:password-stdin|with-token|token-stdin))re"
      R"re(|\blogin\s+\S+\s+password\s+(\S+)|\bwandb login (?:--relogin )?([0-9a-f]{40}))re"
      R"re(|-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----\s*(\S.*?)\s*(?:-----END |$))re");
  kLogin.ForEachMatch(text, [&](const auto& groups) {
    for (size_t i = 1; i < groups.size(); ++i) {
      if (!groups[i].empty() && !IsPlaceholder(groups[i])) Add(text, groups[i], found);
    }
    return End(text, groups[0]);
  });
}

void Sort(Spans& spans) {
  std::sort(spans.begin(), spans.end(),
            [](const Span& a, const Span& b) { return a.begin < b.begin; });
  Spans apart;
  for (const Span& span : spans) {
    if (span.begin >= span.end) continue;
    if (apart.empty() || span.begin >= apart.back().end) {
      apart.push_back(span);
    } else {
      apart.back().end = std::max(apart.back().end, span.end);
    }
  }
  spans = std::move(apart);
}

// Bytes of a word without blanks at the end of `text`.
size_t LastWordBegin(std::string_view text) {
  const size_t blank = text.find_last_of(" \t");
  return blank == std::string_view::npos ? 0 : blank + 1;
}

// Whether `text`, which goes on where a whole token ended, may be more of it rather than a word or
// a path: `rest` is what follows it.
bool MayBeMore(std::string_view text, std::string_view rest) {
  const auto end = std::find_if_not(text.begin(), text.end(), [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c));
  });
  const auto count = [&text, end](auto is) {
    return std::count_if(text.begin(), end,
                         [is](char c) { return is(static_cast<unsigned char>(c)); });
  };
  constexpr long kManyDigits = 3;
  const bool is_alone = rest.empty() || rest.front() == '"' || rest.front() == '\'';
  const long digits = count(absl::ascii_isdigit);
  const bool is_mixed = count(absl::ascii_isupper) > 0 && count(absl::ascii_islower) > 0;
  if (is_alone && (digits > 0 || is_mixed)) return true;
  return digits >= kManyDigits && (end - text.begin() > digits || digits >= 2 * kManyDigits);
}

// What `first` + `glue` + `second` holds beside what each holds alone: in `second` where
// `wants_second`, else at the end of `first`.
void FindAcross(std::string_view first, std::string_view glue, std::string_view second,
                bool wants_second, Spans& found) {
  const std::string_view tail = first.substr(first.size() - std::min(first.size(), kJoinedBytes));
  const std::string_view head = second.substr(0, kJoinedBytes);
  const std::string joined = absl::StrCat(Absl(tail), Absl(glue), Absl(head));
  const size_t seam = tail.size() + glue.size();
  const auto part = [&joined](size_t begin, size_t end) {
    return std::string_view(joined).substr(begin, end - begin);
  };
  static const Expression kScheme(R"re((?is).*\b(?:bearer|basic|digest|negotiate|token))re");
  for (const Span& span : FindCredentials(joined)) {
    if (!wants_second) {
      if (span.begin < seam && span.end >= seam)
        found.push_back({first.size() - tail.size() + span.begin, first.size()});
      continue;
    }
    if (span.begin == seam) {
      // Announced by the line before; a colon at its end announces many things.
      const std::string_view value = part(span.begin, span.end);
      const bool is_announced = LooksRandom(value) || (!glue.empty() && kScheme.MatchesWhole(tail));
      if (is_announced) found.push_back({0, span.end - seam});
    } else if (glue.empty() && span.begin < seam && span.end > seam) {
      const Spans alone = FindCredentials(tail);
      const bool was_whole = !alone.empty() && alone.back().end == tail.size();
      const std::string_view rest = part(span.end, joined.size());
      if (!was_whole || rest.starts_with('@') || MayBeMore(part(seam, span.end), rest))
        found.push_back({0, span.end - seam});
    }
  }
}

// Bytes of what programs put before each line of another's output: "| ", "> ", "+ ", a line of a
// box.
size_t GutterBytes(std::string_view text) {
  static const Expression kGutter(
      R"re((?s)((?:[|>#*+]{1,3}|\xe2[\x94\x95][\x80-\xbf]|\xc2\xa6) +).*)re");
  size_t size = 0;
  if (text.empty() || absl::ascii_isalnum(static_cast<unsigned char>(text.front()))) return 0;
  kGutter.ForEachMatch(text.substr(0, std::min<size_t>(text.size(), 16)), [&](const auto& groups) {
    if (groups[0].data() == text.data()) size = groups[1].size();
    return text.size();
  });
  return size;
}

// Whether the words that two lines end and begin with may be one, broken by the width of a screen
// rather than by what it says.
bool MayBeOneWord(std::string_view first) {
  return first.size() >= kWrappedWidth || first.ends_with('=') || EndsInTokenForm(first) ||
         first.find("://", LastWordBegin(first)) != std::string_view::npos;
}

}  // namespace

Spans FindCredentials(std::string_view text) {
  Spans found;
  const Hints hints = HintsOf(text);
  if (hints.has_name) FindNamed(text, found);
  if (hints.has_url) FindInUrls(text, found);
  if (hints.has_place) {
    FindInHeaders(text, found);
    FindInPlaces(text, found);
  }
  if (hints.has_run) {
    FindTokenForms(text, found);
    if (IsKeyLine(text)) found.push_back({0, text.size()});
  }
  Sort(found);
  return found;
}

Spans FindCredentials(std::string_view text, std::string_view previous, std::string_view next) {
  Spans found = FindCredentials(text);
  const size_t gutter = GutterBytes(text);
  const std::string_view own = text.substr(gutter);
  const std::string_view before = previous.substr(GutterBytes(previous));
  if (!before.empty() && !own.empty()) {
    Spans across;
    if (MayBeOneWord(before)) FindAcross(before, "", own, /*wants_second=*/true, across);
    FindAcross(before, " ", own, /*wants_second=*/true, across);
    // The last line of a key is short.
    static const Expression kBase64(R"re([A-Za-z0-9+/]+={0,2})re");
    static const Expression kEndsInKey(
        R"re((?s).*(?:BEGIN [A-Z0-9 ]*PRIVATE KEY-----|[A-Za-z0-9+/]{60,}))re");
    if ((IsKeyLine(before) || kEndsInKey.MatchesWhole(before)) && kBase64.MatchesWhole(own))
      across.push_back({0, own.size()});
    for (const Span& span : across) found.push_back({gutter + span.begin, gutter + span.end});
  }
  if (gutter > 0 && IsKeyLine(own)) found.push_back({gutter, text.size()});
  if (!next.empty() && MayBeOneWord(text))
    FindAcross(text, "", next.substr(GutterBytes(next)), /*wants_second=*/false, found);
  Sort(found);
  return found;
}

bool OpensCredential(std::string_view line) {
  constexpr size_t kLooked = 160;
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r' || line.back() == '\n'))
    line.remove_suffix(1);
  const std::string_view end = line.substr(line.size() - std::min(line.size(), kLooked));
  if (end.find('\x1b') != std::string_view::npos || end.find("://") != std::string_view::npos ||
      end.ends_with("PRIVATE KEY-----"))
    return true;
  const std::string_view word = end.substr(LastWordBegin(end));
  if (IsKeyLine(word) || word.ends_with('=')) return true;
  const Hints hints = HintsOf(end);
  return hints.has_name || hints.has_place || EndsInTokenForm(word);
}

std::string Mask(std::string_view text, const Spans& spans) {
  std::string masked;
  size_t done = 0;
  for (const Span& span : spans) {
    absl::StrAppend(&masked, Absl(text.substr(done, span.begin - done)), Absl(kMask));
    done = span.end;
  }
  return absl::StrCat(masked, Absl(text.substr(done)));
}

std::string HideCredentials(std::string_view text) { return Mask(text, FindCredentials(text)); }

}  // namespace cudadoctor

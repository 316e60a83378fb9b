#include "redact/value_shape.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "redact/expression.h"

namespace cudadoctor {

bool IsPlaceholder(std::string_view value) {
  static const Expression kPlaceholder(
      R"re((?is)[*xX.#-]*|[*]{3}.*|\$(?:[({\w].*)?|%\w+%|<[^<]*|[\[{(=:@].*|)re"  // masked, a
                                                                                  // variable,
                                                                                  // <token>
      R"re((?:id|type|src|env)=.*|)re"  // docker --secret id=
      R"re((?:true|false|yes|no|on|off|null|nil|none|0|1),?|)re"
      R"re((?:[\w.]*[._])?(?:token|password|passwd|secret|key|credentials?|pass)|)re"  // self.token
      R"re((?:your|insert|enter)[_ -].*|(?:self|os|args|config|settings)\..*|)re"
      R"re([\d.:~+,-]*[.:][\d.:~+,-]*|)re"  // a version, a line and a column
      R"re((?:\w+\.)?(?:optional|union|list|dict)\[.*|(?:str|string|bytes|int|bool|optional|any|object|option|char|const|std::.*|)re"
      R"re(not|is|was|has|missing|set|unset|empty|required|invalid|expired|ok|found|redacted|masked|)re"
      R"re(hidden|denied|incorrect|wrong|authentication|for|or|and|the|must|cannot|could|unknown)[.,!]?)re");
  return kPlaceholder.MatchesWhole(value);
}

bool LooksRandom(std::string_view value) {
  static const Expression kToken(R"([A-Za-z0-9_~+=-][\w.~+/=%@:-]{11,})");
  static const Expression kMixed(R"(.*\d.*[A-Za-z].*|.*[A-Za-z].*\d.*)");
  return kToken.MatchesWhole(value) && kMixed.MatchesWhole(value) &&
         value.find("::") == std::string_view::npos;
}

bool IsPath(std::string_view value) {
  static const Expression kPath(
      R"((?is)(?:/|~|\.{1,2}/|[a-z]:[\\/]).*|.*\.(?:json|pem|key|txt|ya?ml|env|crt))");
  // Base64 may begin with a slash, too.
  const bool is_base64 = value.size() >= 32 && value.starts_with('/') && IsKeyLine(value.substr(1));
  return kPath.MatchesWhole(value) && !is_base64;
}

bool IsKeyLine(std::string_view line) {
  constexpr size_t kShortest = 30;
  constexpr size_t kUsual = 60;  // PEM has 64 in a line, OpenSSH 70
  if (line.size() < kShortest || line.front() == '/') return false;
  const int least = line.size() < kUsual ? 3 : 1;
  int upper = 0, lower = 0, digits = 0;
  for (const char c : line) {
    const auto byte = static_cast<unsigned char>(c);
    if (absl::ascii_isupper(byte)) {
      ++upper;
    } else if (absl::ascii_islower(byte)) {
      ++lower;
    } else if (absl::ascii_isdigit(byte)) {
      ++digits;
    } else if (c != '+' && c != '/' && c != '=') {
      return false;
    }
  }
  return std::min({upper, lower, digits}) >= least;
}

}  // namespace cudadoctor

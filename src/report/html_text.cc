#include "report/html_text.h"

#include <algorithm>
#include <charconv>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/views.h"

namespace cudadoctor {
namespace {

// Length in bytes of the direction control that `text` begins with, or 0: U+061C, U+200E, U+200F,
// U+202A to U+202E, U+2066 to U+2069.
size_t DirectionControl(std::string_view text) {
  if (text.substr(0, 2) == "\xD8\x9C") return 2;
  if (text.size() < 3 || text[0] != '\xE2') return 0;
  const auto last = static_cast<unsigned char>(text[2]);
  const bool is_one =
      (text[1] == '\x80' && (last == 0x8E || last == 0x8F || (last >= 0xAA && last <= 0xAE))) ||
      (text[1] == '\x81' && last >= 0xA6 && last <= 0xA9);
  return is_one ? 3 : 0;
}

}  // namespace

std::string HtmlText(std::string_view text) {
  std::string html;
  html.reserve(text.size() + text.size() / 8);
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '&') {
      html.append("&amp;");
    } else if (c == '<') {
      html.append("&lt;");
    } else if (c == '>') {
      html.append("&gt;");
    } else if (c == '"') {
      html.append("&quot;");
    } else if (c == '\'') {
      html.append("&#39;");
    } else if ((static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == '\x7F') {
      html.append("\xEF\xBF\xBD");
    } else if (const size_t length = DirectionControl(text.substr(i)); length > 0) {
      html.append("\xEF\xBF\xBD");
      i += length - 1;
    } else {
      html.push_back(c);
    }
  }
  return html;
}

std::string HtmlWords(std::string_view text) {
  std::string html;
  size_t start = 0;
  while (start < text.size()) {
    const size_t end = std::min(text.find_first_of(" \n", start), text.size());
    const std::string word = HtmlText(text.substr(start, end - start));
    const bool is_whole = text.substr(start, end - start).find('-') != std::string_view::npos;
    absl::StrAppend(&html, is_whole ? "<span class=\"w\">" : "", word, is_whole ? "</span>" : "");
    if (end < text.size()) html.push_back(text[end]);
    start = end + 1;
  }
  return html;
}

std::string HtmlProse(std::string_view text) {
  std::string html;
  size_t start = 0;
  while (start < text.size()) {
    const size_t open = text.find('`', start);
    const size_t close = open == std::string_view::npos ? open : text.find('`', open + 1);
    if (close == std::string_view::npos) break;
    absl::StrAppend(&html, HtmlWords(text.substr(start, open - start)), "<code>",
                    HtmlWords(text.substr(open + 1, close - open - 1)), "</code>");
    start = close + 1;
  }
  return html + HtmlWords(text.substr(std::min(start, text.size())));
}

std::string HtmlLink(std::string_view url) {
  const std::string text = HtmlText(url);
  if (!absl::StartsWithIgnoreCase(Absl(url), "https://") &&
      !absl::StartsWithIgnoreCase(Absl(url), "http://"))
    return text;
  return absl::StrCat("<a href=\"", text, "\" rel=\"noreferrer\">", text, "</a>");
}

std::string HtmlNumber(int64_t number) {
  std::string digits = std::to_string(number);
  const int first = number < 0 ? 1 : 0;
  for (int i = static_cast<int>(digits.size()) - 3; i > first; i -= 3)
    digits.insert(static_cast<size_t>(i), ",");
  return digits;
}

std::string HtmlLines(int64_t first, int64_t last) {
  if (last <= first) return absl::StrCat("line ", HtmlNumber(first));
  return absl::StrCat("lines ", HtmlNumber(first), " to ", HtmlNumber(last));
}

std::string HtmlHashSource(std::string_view sha256) {
  std::string bytes;
  for (size_t i = 0; i + 1 < sha256.size(); i += 2) {
    unsigned char byte = 0;
    std::from_chars(sha256.data() + i, sha256.data() + i + 2, byte, 16);
    bytes.push_back(static_cast<char>(byte));
  }
  return absl::StrCat("'sha256-", absl::Base64Escape(bytes), "'");
}

}  // namespace cudadoctor

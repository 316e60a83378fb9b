// report/html_text.h: untrusted text as part of an HTML document.
#ifndef CUDADOCTOR_REPORT_HTML_TEXT_H_
#define CUDADOCTOR_REPORT_HTML_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace cudadoctor {

// `text` as the content of an element or of a quoted attribute. Control characters and those that
// change the direction of writing become U+FFFD; line ends and tabs stay.
std::string HtmlText(std::string_view text);

// The same with words that hold a hyphen kept whole where a line is too long for its place
// ("--no-deps" would break behind its hyphens).
std::string HtmlWords(std::string_view text);

// The same for prose: what stands between backticks is code.
std::string HtmlProse(std::string_view text);

// A link to an http or https address; any other address stays text.
std::string HtmlLink(std::string_view url);

// 4312 as "4,312".
std::string HtmlNumber(int64_t number);

// "line 34", or "lines 34 to 1,035".
std::string HtmlLines(int64_t first, int64_t last);

// A content policy's source for an inline part whose SHA-256 this is, in hexadecimal.
std::string HtmlHashSource(std::string_view sha256);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REPORT_HTML_TEXT_H_

// report/html_parts.h: what every HTML report begins and ends with, from src/report/html/.
#ifndef CUDADOCTOR_REPORT_HTML_PARTS_H_
#define CUDADOCTOR_REPORT_HTML_PARTS_H_

#include <string_view>

namespace cudadoctor {

struct HtmlPart {
  std::string_view text;    // of the element, byte for byte
  std::string_view sha256;  // of text, hexadecimal
};

extern const HtmlPart kHtmlStyle;
extern const HtmlPart kHtmlScript;

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REPORT_HTML_PARTS_H_

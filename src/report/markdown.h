// report/markdown.h: reports as GitHub flavoured Markdown, in which the text of a log stays text:
// it makes no HTML, image, link, mention, reference, emoji or list.
#ifndef CUDADOCTOR_REPORT_MARKDOWN_H_
#define CUDADOCTOR_REPORT_MARKDOWN_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "model/report.h"

namespace cudadoctor {

struct MarkdownLimits {
  bool names_input = false;  // one of several: each begins with the input's name
  size_t max_bytes = 0;      // what does not fit is left out whole, and the last line says so
};

// A section for each diagnosis, the evidence and the commands in fenced blocks. Reports without a
// diagnosis are left out. At most `max_bytes`, but for that last line when nothing fits.
std::string MarkdownSections(std::span<const Report> reports, const MarkdownLimits& limits);

// `text` as part of a line of Markdown: every word that could be more than a word is a code span.
// For use behind other text of the line, never at its start.
std::string MarkdownInline(std::string_view text);

// `content` as a fenced code block, which it cannot leave; ends with a newline.
std::string MarkdownFence(std::string_view language, std::string_view content);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REPORT_MARKDOWN_H_

// report/text_layout.h: the parts of a text for a person: labels, causes, commands.
#ifndef CUDADOCTOR_REPORT_TEXT_LAYOUT_H_
#define CUDADOCTOR_REPORT_TEXT_LAYOUT_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "model/report.h"
#include "report/renderer.h"

namespace cudadoctor {

// Collects lines: a label in a narrow column, then text that is wrapped at the width.
class TextLayout {
 public:
  explicit TextLayout(const RenderOptions& options);

  void AddHeadline(const std::string& text);
  // The verdict stands at the right edge where there is room.
  void AddCause(std::string_view label, const std::string& title, const std::string& verdict);
  // A line of the log with its number, cut at the width; a fact of the machine, which has none.
  void AddEvidence(const Evidence& evidence);
  // An empty line, then the remedy, labelled "fix" or "or".
  void AddRemedy(const Remedy& remedy);
  // Commands are never cut; an environment in front of a long one takes a line of its own.
  void AddCommand(const std::string& command);
  void AddText(std::string_view label, const std::string& text);
  void AddBlankLine() { text_.append("\n"); }

  bool is_empty() const { return text_.empty(); }
  std::string Take() { return std::move(text_); }

 private:
  struct Style {
    std::string_view headline, cause, command, dim, reset;
  };

  void StartLine(std::string_view label);

  const Style style_;
  const size_t width_;
  std::string text_;
};

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REPORT_TEXT_LAYOUT_H_

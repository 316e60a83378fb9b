// report/html_log.h: the log around what a report quotes, as part of an HTML document.
#ifndef CUDADOCTOR_REPORT_HTML_LOG_H_
#define CUDADOCTOR_REPORT_HTML_LOG_H_

#include <cstddef>
#include <string>
#include <vector>

#include "model/report.h"

namespace cudadoctor {

// The ids of a document: "r1" is the first report, "r1-d2" its second diagnosis, "r1-L34" a line of
// its log. Links to them are a contract with whoever shares one.
std::string HtmlId(size_t report);
std::string HtmlDiagnosisId(size_t report, size_t diagnosis);

struct HtmlLogLimits {
  size_t lines = 0;
  size_t bytes = 0;  // of the lines' text
};

// What of a log is shown, and where. Keeps a reference to the report, which must outlive it.
class HtmlLog {
 public:
  // `number` of the report in its document, from 1. Where the excerpts exceed the limits, the lines
  // farthest from evidence and symptoms are left out; a line that is quoted only where those
  // alone exceed them.
  HtmlLog(const Report& report, size_t number, const HtmlLogLimits& limits);

  bool empty() const { return lines_.empty(); }

  // "line 34" as a link to it, or as text where that line is not shown.
  std::string Link(int64_t first_line, int64_t last_line) const;

  // The shown lines, evidence and symptoms marked, with what is left out between them.
  std::string Lines() const;

  // A strip of the whole log with the places of evidence and symptoms; empty without any.
  std::string Map() const;

 private:
  enum class Kind { kEvidence, kNote, kSymptom };  // a note is evidence of a latent cause
  // Lines that a diagnosis quotes.
  struct Mark {
    int64_t first_line = 0;
    int64_t last_line = 0;
    Kind kind = Kind::kEvidence;
    size_t diagnosis = 0;  // from 1
  };
  struct Line {
    int64_t number = 0;
    const std::string* text = nullptr;
    int64_t distance = 0;  // in lines, from the nearest mark
  };

  static const char* Name(Kind kind);
  void AddMarks();
  void AddLines(const HtmlLogLimits& limits);
  const Mark* MarkAt(int64_t line) const;
  std::string LineId(int64_t line) const;

  const Report& report_;
  const size_t number_;
  std::vector<Mark> marks_;  // where they overlap, the first one counts
  std::vector<Line> lines_;  // rising
};

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REPORT_HTML_LOG_H_

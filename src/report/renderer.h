// report/renderer.h: reports as text for people and machines, one file a format.
#ifndef CUDADOCTOR_REPORT_RENDERER_H_
#define CUDADOCTOR_REPORT_RENDERER_H_

#include <string>

#include "json/json.h"
#include "model/report.h"

namespace cudadoctor {

inline constexpr char kVersion[] = "0.1.0";

struct TextOptions {
  bool color = false;  // ANSI colours
  int width = 100;     // columns; longer evidence is cut, commands never are
};

// The report as one screen for a person.
std::string RenderText(const Report& report, const TextOptions& options);

// The report as DESIGN's JSON contract, version 1.
Json ReportToJson(const Report& report);

// One line of JSON, with a line end.
std::string RenderJson(const Report& report);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REPORT_RENDERER_H_

// report/render.h: reports in one format, for tests.
#ifndef CUDADOCTOR_TESTS_REPORT_RENDER_H_
#define CUDADOCTOR_TESTS_REPORT_RENDER_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/place.h"
#include "report/renderer.h"

namespace cudadoctor {

// The working tree of these tests, which has every file that is asked for.
inline constexpr std::string_view kTree = "/home/user/project";

inline std::string Render(std::string_view format, std::vector<Report> reports,
                          const RenderOptions& options = {}) {
  for (Report& report : reports)
    PlaceInTree(
        kTree, [](const std::string&) { return true; }, report);
  return FindFormat(format)->render(reports, options);
}

inline std::string Render(std::string_view format, Report report,
                          const RenderOptions& options = {}) {
  return Render(format, std::vector<Report>{std::move(report)}, options);
}

}  // namespace cudadoctor

#endif  // CUDADOCTOR_TESTS_REPORT_RENDER_H_

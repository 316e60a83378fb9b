// report/render.h: one report in one format, for tests.
#ifndef CUDADOCTOR_TESTS_REPORT_RENDER_H_
#define CUDADOCTOR_TESTS_REPORT_RENDER_H_

#include <string>
#include <string_view>

#include "report/renderer.h"

namespace cudadoctor {

inline std::string Render(std::string_view format, const Report& report,
                          const RenderOptions& options = {}) {
  return FindFormat(format)->render({&report, 1}, options);
}

}  // namespace cudadoctor

#endif  // CUDADOCTOR_TESTS_REPORT_RENDER_H_

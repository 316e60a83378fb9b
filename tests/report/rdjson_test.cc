#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "json/json.h"
#include "report/render.h"
#include "report/sample_report.h"

namespace cudadoctor {
namespace {

Json DiagnosticsOf(const std::vector<Report>& reports) {
  const std::string text = FindFormat("rdjson")->render(reports, {});
  const absl::StatusOr<Json> result = ParseJson(text, "rdjson");
  EXPECT_TRUE(result.ok()) << result.status();
  return result.ok() ? result->at("diagnostics") : Json();
}

TEST(RenderRdjsonTest, IsADiagnosticResult) {
  EXPECT_EQ(Render("rdjson", SampleReport()), R"({
  "source": {
    "name": "cudadoctor"
  },
  "severity": "ERROR",
  "diagnostics": [
    {
      "message": "PyTorch was built with CUDA 12.8, nvcc is CUDA 13.1.\n\nfix: install CUDA 12.8 beside 13.1 and build with it\n\n    sudo apt-get install -y cuda-toolkit-12-8\n    CUDA_HOME=/usr/local/cuda-12.8 PATH=/usr/local/cuda-12.8/bin:$PATH MAX_JOBS=32 uv pip install flash-attn --no-build-isolation\n\nnote: takes an hour\n\ncheck that this says release 12.8:\n\n    /usr/local/cuda-12.8/bin/nvcc --version",
      "location": {
        "path": "build.log",
        "range": {
          "start": {
            "line": 34,
            "column": 1
          }
        }
      },
      "severity": "ERROR",
      "code": {
        "value": "cuda-version-mismatch",
        "url": "https://docs.nvidia.com/"
      },
      "original_output": "build.log:34:1: error: PyTorch was built with CUDA 12.8, nvcc is CUDA 13.1; fix: install CUDA 12.8 beside 13.1 and build with it [cuda-version-mismatch]"
    }
  ]
}
)");
}

TEST(RenderRdjsonTest, IsEmptyWithoutADiagnosis) {
  EXPECT_EQ(DiagnosticsOf({}), Json::array());
  EXPECT_EQ(DiagnosticsOf({Report(), Report()}), Json::array());
}

TEST(RenderRdjsonTest, ReportsFollowEachOther) {
  Report second = SampleReport();
  second.input.name = "second.log";
  second.diagnoses[0].role = Role::kLatent;
  second.diagnoses[0].references.clear();
  const Json diagnostics = DiagnosticsOf({SampleReport(), second});
  ASSERT_EQ(diagnostics.size(), 2U);
  EXPECT_EQ(diagnostics.at(1).at("location").at("path"), "second.log");
  EXPECT_EQ(diagnostics.at(1).at("severity"), "INFO");
  EXPECT_EQ(WriteJson(diagnostics.at(1).at("code")), R"({"value":"cuda-version-mismatch"})");
}

TEST(RenderRdjsonTest, TheTextOfALogStaysText) {
  Report report = SampleReport();
  report.diagnoses[0].title = "no \"x\"\n\n# <img src=x> [a](javascript:b) @all `c`";
  report.diagnoses[0].remedies.clear();
  EXPECT_EQ(DiagnosticsOf({report}).at(0).at("message"),
            "no \"x\" `#` `<img` `src=x>` `[a](javascript:b)` `@all` `` `c` ``.");
}

}  // namespace
}  // namespace cudadoctor

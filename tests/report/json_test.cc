#include "json/json.h"

#include <string>

#include "gtest/gtest.h"
#include "report/render.h"
#include "report/sample_report.h"

namespace cudadoctor {
namespace {

// The contract of docs/report.schema.json: names, order and what may be left out.
TEST(ReportToJsonTest, IsTheContract) {
  EXPECT_EQ(WriteJson(ReportToJson(SampleReport()), 1), R"({
 "schema": "cudadoctor.report/1",
 "tool": {
  "name": "cudadoctor",
  "version": ")" + std::string(kVersion) + R"("
 },
 "input": {
  "name": "build.log",
  "lines": 41,
  "bytes": 2048
 },
 "outcome": "failed",
 "units": [
  {
   "id": 1,
   "kind": "package-build",
   "name": "flash-attn",
   "first_line": 1,
   "last_line": 41,
   "outcome": "failed"
  }
 ],
 "facts": [
  {
   "name": "torch_cuda",
   "type": "version",
   "value": "12.8",
   "origin": "log",
   "line": 9,
   "unit": 1
  },
  {
   "name": "cpu_count",
   "type": "integer",
   "value": "128",
   "origin": "host"
  }
 ],
 "diagnoses": [
  {
   "cause": "cuda-version-mismatch",
   "group": "toolkit",
   "role": "root",
   "confidence": "certain",
   "retry": "environment",
   "units": [
    1
   ],
   "title": "PyTorch was built with CUDA 12.8, nvcc is CUDA 13.1",
   "package": "flash-attn",
   "explanation": "both must agree",
   "fingerprint": "0123456789abcdef",
   "evidence": [
    {
     "line": 34,
     "last_line": 35,
     "column": 1,
     "text": "RuntimeError: The detected CUDA version (13.1) mismatches the version that was used to compile PyTorch (12.8).",
     "pattern": "torch-check"
    }
   ],
   "symptoms": [
    {
     "id": "wheel-build-failed",
     "line": 41,
     "text": "Failed to build flash-attn"
    }
   ],
   "world": {
    "shell": "posix"
   },
   "remedies": [
    {
     "id": "install-matching-toolkit",
     "title": "install CUDA 12.8 beside 13.1 and build with it",
     "preferred": true,
     "needs": [
      "root",
      "network"
     ],
     "why": "toolkits live side by side",
     "steps": [
      {
       "run": "sudo apt-get install -y cuda-toolkit-12-8"
      },
      {
       "run": "CUDA_HOME=/usr/local/cuda-12.8 PATH=/usr/local/cuda-12.8/bin:$PATH MAX_JOBS=32 uv pip install flash-attn --no-build-isolation",
       "note": "takes an hour"
      }
     ],
     "env": {
      "CUDA_HOME": "/usr/local/cuda-12.8"
     },
     "check": {
      "run": "/usr/local/cuda-12.8/bin/nvcc --version",
      "says": "release 12.8"
     }
    },
    {
     "id": "matching-torch",
     "title": "take the PyTorch built for CUDA 13.0",
     "preferred": false,
     "needs": [],
     "cost": "a 2 GB download",
     "steps": [
      {
       "note": "choose it by hand"
      }
     ]
    }
   ],
   "avoid": [
    "MAX_JOBS: it does not touch this check"
   ],
   "references": [
    "https://docs.nvidia.com/"
   ]
  }
 ]
})");
}

TEST(RenderJsonTest, IsOneLine) {
  const std::string json = Render("json", SampleReport());
  EXPECT_EQ(json.find('\n'), json.size() - 1);
  const absl::StatusOr<Json> parsed = ParseJson(json, "report");
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(*parsed, ReportToJson(SampleReport()));
}

TEST(RenderJsonTest, AnEmptyReportHoldsEveryList) {
  EXPECT_EQ(Render("json", Report()),
            "{\"schema\":\"cudadoctor.report/"
            "1\",\"tool\":{\"name\":\"cudadoctor\",\"version\":\"" +
                std::string(kVersion) +
                "\"},\"input\":{\"name\":\"\",\"lines\":0,\"bytes\":0},"
                "\"outcome\":\"undetermined\",\"units\":[],\"facts\":[],\"diagnoses\":[]}\n");
}

TEST(RenderJsonTest, Limits) {
  Report report;
  report.input.limits = {"clipped-upstream", "evidence-cut"};
  EXPECT_NE(Render("json", report).find("\"limits\":[\"clipped-upstream\",\"evidence-cut\"]"),
            std::string::npos);
}

}  // namespace
}  // namespace cudadoctor

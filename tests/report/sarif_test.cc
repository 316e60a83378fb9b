#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "json/json.h"
#include "report/render.h"
#include "report/sample_report.h"

namespace cudadoctor {
namespace {

// The run of `reports` in SARIF.
Json RunOf(const std::vector<Report>& reports) {
  const std::string text = Render("sarif", reports);
  const absl::StatusOr<Json> log = ParseJson(text, "sarif");
  EXPECT_TRUE(log.ok()) << log.status();
  return log.ok() ? log->at("runs").at(0) : Json();
}

Report ReportOf(const Diagnosis& diagnosis) {
  Report report = SampleReport();
  report.diagnoses = {diagnosis};
  return report;
}

TEST(RenderSarifTest, IsOneRun) {
  const std::string version(kVersion);
  EXPECT_EQ(Render("sarif", SampleReport()), R"({
  "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
  "version": "2.1.0",
  "runs": [
    {
      "tool": {
        "driver": {
          "name": "cudadoctor",
          "version": ")" + version + R"(",
          "semanticVersion": ")" + version + R"(",
          "rules": [
            {
              "id": "cuda-version-mismatch",
              "shortDescription": {
                "text": "cuda version mismatch"
              },
              "fullDescription": {
                "text": "both must agree"
              },
              "help": {
                "text": "both must agree\n\nMore: cudadoctor explain cuda-version-mismatch\nhttps://docs.nvidia.com/",
                "markdown": "both must agree\n\nMore: `cudadoctor explain cuda-version-mismatch`\n- <https://docs.nvidia.com/>"
              },
              "defaultConfiguration": {
                "level": "error"
              },
              "properties": {
                "tags": [
                  "build",
                  "toolkit"
                ]
              },
              "helpUri": "https://docs.nvidia.com/"
            }
          ]
        }
      },
      "invocations": [
        {
          "executionSuccessful": true
        }
      ],
      "columnKind": "utf16CodeUnits",
      "originalUriBaseIds": {
        "%SRCROOT%": {
          "description": {
            "text": "the root of the working tree"
          }
        }
      },
      "artifacts": [
        {
          "location": {
            "uri": "build.log",
            "uriBaseId": "%SRCROOT%"
          },
          "roles": [
            "analysisTarget"
          ],
          "mimeType": "text/plain"
        }
      ],
      "results": [
        {
          "ruleId": "cuda-version-mismatch",
          "ruleIndex": 0,
          "level": "error",
          "message": {
            "text": "PyTorch was built with CUDA 12.8, nvcc is CUDA 13.1.\n\nfix: install CUDA 12.8 beside 13.1 and build with it\n\n    sudo apt-get install -y cuda-toolkit-12-8\n    CUDA_HOME=/usr/local/cuda-12.8 PATH=/usr/local/cuda-12.8/bin:$PATH MAX_JOBS=32 uv pip install flash-attn --no-build-isolation\n\nnote: takes an hour\n\ncheck that this says release 12.8:\n\n    /usr/local/cuda-12.8/bin/nvcc --version",
            "markdown": "PyTorch was built with CUDA 12.8, nvcc is CUDA 13.1.\n\nfix: install CUDA 12.8 beside 13.1 and build with it\n\n    sudo apt-get install -y cuda-toolkit-12-8\n    CUDA_HOME=/usr/local/cuda-12.8 PATH=/usr/local/cuda-12.8/bin:$PATH MAX_JOBS=32 uv pip install flash-attn --no-build-isolation\n\nnote: takes an hour\n\ncheck that this says release 12.8:\n\n    /usr/local/cuda-12.8/bin/nvcc --version"
          },
          "locations": [
            {
              "physicalLocation": {
                "artifactLocation": {
                  "uri": "build.log",
                  "uriBaseId": "%SRCROOT%",
                  "index": 0
                },
                "region": {
                  "startLine": 34,
                  "startColumn": 1,
                  "endLine": 35,
                  "snippet": {
                    "text": "RuntimeError: The detected CUDA version (13.1) mismatches the version that was used to compile PyTorch (12.8)."
                  }
                }
              }
            }
          ],
          "relatedLocations": [
            {
              "physicalLocation": {
                "artifactLocation": {
                  "uri": "build.log",
                  "uriBaseId": "%SRCROOT%",
                  "index": 0
                },
                "region": {
                  "startLine": 41,
                  "snippet": {
                    "text": "Failed to build flash-attn"
                  }
                }
              },
              "id": 1,
              "message": {
                "text": "follows from it: wheel-build-failed"
              }
            }
          ],
          "partialFingerprints": {
            "cudadoctorFingerprint/v1": "0123456789abcdef",
            "primaryLocationLineHash": "0123456789abcdef:1"
          },
          "properties": {
            "confidence": "certain",
            "retry": "environment",
            "package": "flash-attn",
            "remedies": [
              {
                "id": "install-matching-toolkit",
                "title": "install CUDA 12.8 beside 13.1 and build with it",
                "preferred": true,
                "commands": [
                  "sudo apt-get install -y cuda-toolkit-12-8",
                  "CUDA_HOME=/usr/local/cuda-12.8 PATH=/usr/local/cuda-12.8/bin:$PATH MAX_JOBS=32 uv pip install flash-attn --no-build-isolation"
                ]
              },
              {
                "id": "matching-torch",
                "title": "take the PyTorch built for CUDA 13.0",
                "preferred": false,
                "commands": []
              }
            ]
          }
        }
      ]
    }
  ]
}
)");
}

TEST(RenderSarifTest, ASuccessHasNoResultsAndNoRules) {
  const Json run = RunOf({Report()});
  EXPECT_EQ(run.at("results"), Json::array());
  EXPECT_EQ(run.at("tool").at("driver").at("rules"), Json::array());
  EXPECT_EQ(run.at("artifacts").size(), 1U);
  EXPECT_EQ(RunOf({}).at("results"), Json::array());
}

TEST(RenderSarifTest, ReportsShareARunAndRules) {
  Report second = SampleReport();
  second.input.name = "second.log";
  const Json run = RunOf({SampleReport(), Report(), second});
  EXPECT_EQ(run.at("artifacts").size(), 3U);
  EXPECT_EQ(run.at("tool").at("driver").at("rules").size(), 1U);
  ASSERT_EQ(run.at("results").size(), 2U);
  const Json& result = run.at("results").at(1);
  EXPECT_EQ(result.at("ruleIndex"), 0);
  const Json& artifact = result.at("locations").at(0).at("physicalLocation").at("artifactLocation");
  EXPECT_EQ(artifact.at("uri"), "second.log");
  EXPECT_EQ(artifact.at("index"), 2);
  EXPECT_EQ(result.at("partialFingerprints"), run.at("results").at(0).at("partialFingerprints"));
}

TEST(RenderSarifTest, LevelsAreThoseOfTheRoles) {
  const struct {
    Role role;
    const char* level;
  } rows[] = {{Role::kRoot, "error"}, {Role::kContributing, "warning"}, {Role::kLatent, "note"}};
  for (const auto& row : rows) {
    Diagnosis diagnosis;
    diagnosis.role = row.role;
    EXPECT_EQ(RunOf({ReportOf(diagnosis)}).at("results").at(0).at("level"), row.level);
  }
}

TEST(RenderSarifTest, ASourceOfTheTreeIsTheFirstLocation) {
  Report report = SampleReport();
  report.diagnoses[0].evidence[0].source = SourceLocation{"csrc/a b.cu", 4, 9};
  const Json run = RunOf({report});
  const Json& result = run.at("results").at(0);
  ASSERT_EQ(result.at("locations").size(), 1U);
  EXPECT_EQ(WriteJson(result.at("locations").at(0)),
            R"({"physicalLocation":{"artifactLocation":{"uri":"csrc/a%20b.cu",)"
            R"("uriBaseId":"%SRCROOT%"},"region":{"startLine":4,"startColumn":9}}})");
  EXPECT_EQ(result.at("relatedLocations").at(0).at("physicalLocation").at("region").at("startLine"),
            34);
}

TEST(RenderSarifTest, ADiagnosisWithoutEvidenceIsAtTheLogsBeginning) {
  Report report = SampleReport();
  report.diagnoses[0].evidence.clear();
  const Json location = RunOf({report}).at("results").at(0).at("locations").at(0);
  EXPECT_EQ(location.at("physicalLocation").at("region"), Json({{"startLine", 1}}));
}

// Our columns are bytes, SARIF's are UTF-16 code units here.
TEST(RenderSarifTest, ColumnsAreUtf16) {
  const struct {
    const char* text;
    int column;
    const char* region;
  } rows[] = {
      {"error", 1,
       R"({"startLine":7,"startColumn":1,"endLine":7,"endColumn":6,)"
       R"("snippet":{"text":"error"}})"},
      {"an error", 4,
       R"({"startLine":7,"startColumn":4,"endLine":7,"endColumn":9,)"
       R"("snippet":{"text":"error"}})"},
      {"für: x", 7,
       R"({"startLine":7,"startColumn":6,"endLine":7,"endColumn":7,)"
       R"("snippet":{"text":"x"}})"},
      {"数: x", 6,
       R"({"startLine":7,"startColumn":4,"endLine":7,"endColumn":5,)"
       R"("snippet":{"text":"x"}})"},
      {"😀: x", 7,
       R"({"startLine":7,"startColumn":5,"endLine":7,"endColumn":6,)"
       R"("snippet":{"text":"x"}})"},
      {"x", 0,
       R"({"startLine":7,"startColumn":1,"endLine":7,"endColumn":2,)"
       R"("snippet":{"text":"x"}})"},
      {"x", 99,
       R"({"startLine":7,"startColumn":2,"endLine":7,"endColumn":2,)"
       R"("snippet":{"text":""}})"},
      {"", 1,
       R"({"startLine":7,"startColumn":1,"endLine":7,"endColumn":1,)"
       R"("snippet":{"text":""}})"},
  };
  for (const auto& row : rows) {
    Diagnosis diagnosis;
    diagnosis.evidence = {{7, 7, row.column, row.text, "pattern"}};
    const Json location = RunOf({ReportOf(diagnosis)}).at("results").at(0).at("locations").at(0);
    EXPECT_EQ(WriteJson(location.at("physicalLocation").at("region")), row.region) << row.text;
  }
}

TEST(RenderSarifTest, LogsAreReferences) {
  const struct {
    const char* name;
    const char* location;
  } rows[] = {
      {"build.log", R"({"uri":"build.log","uriBaseId":"%SRCROOT%"})"},
      {"./logs/a b#1?.log", R"({"uri":"logs/a%20b%231%3F.log","uriBaseId":"%SRCROOT%"})"},
      {"c:evil", R"({"uri":"c%3Aevil","uriBaseId":"%SRCROOT%"})"},
      {"javascript:alert(1)", R"({"uri":"javascript%3Aalert%281%29","uriBaseId":"%SRCROOT%"})"},
      {"/home/user/project/build.log", R"({"uri":"build.log","uriBaseId":"%SRCROOT%"})"},
      {"/tmp/grüße.log", R"({"uri":"file:///tmp/gr%C3%BC%C3%9Fe.log"})"},
      {"../build.log", R"({"uri":"../build.log"})"},
      {"a\n\"b\xff", R"({"uri":"a%0A%22b%FF","uriBaseId":"%SRCROOT%"})"},
      {"-", R"({"uri":"%3Cstdin%3E","uriBaseId":"%SRCROOT%"})"},
  };
  for (const auto& row : rows) {
    Report report = SampleReport();
    report.input.name = row.name;
    EXPECT_EQ(WriteJson(RunOf({report}).at("artifacts").at(0).at("location")), row.location);
  }
}

TEST(RenderSarifTest, LimitsAreNotifications) {
  Report report = SampleReport();
  report.input.limits = {"clipped-upstream", "evidence-cut"};
  const Json run = RunOf({report, report});
  EXPECT_EQ(run.at("tool").at("driver").at("notifications").size(), 2U);
  const Json& notifications = run.at("invocations").at(0).at("toolExecutionNotifications");
  ASSERT_EQ(notifications.size(), 4U);
  EXPECT_EQ(WriteJson(notifications.at(3)),
            R"({"descriptor":{"id":"evidence-cut","index":1},"level":"warning","message":{"text":)"
            R"("the log has more evidence than is kept"},"locations":[{"physicalLocation":)"
            R"({"artifactLocation":{"uri":"build.log","uriBaseId":"%SRCROOT%","index":1}}}]})");
}

TEST(RenderSarifTest, ALongExplanationIsShortened) {
  Report report = SampleReport();
  for (int i = 0; i < 400; ++i) report.diagnoses[0].explanation += "数";
  const Json run = RunOf({report});
  const std::string text =
      run.at("tool").at("driver").at("rules").at(0).at("fullDescription").at("text");
  EXPECT_LE(text.size(), 1024U);
  EXPECT_TRUE(text.ends_with("数…")) << text;
}

}  // namespace
}  // namespace cudadoctor

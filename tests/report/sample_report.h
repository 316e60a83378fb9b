// report/sample_report.h: one small report, for the renderers' tests.
#ifndef CUDADOCTOR_TESTS_REPORT_SAMPLE_REPORT_H_
#define CUDADOCTOR_TESTS_REPORT_SAMPLE_REPORT_H_

#include "model/report.h"

namespace cudadoctor {

inline Report SampleReport() {
  Report report;
  report.input = {"build.log", 41, 2048, {}};
  report.outcome = Outcome::kFailed;
  report.units = {{1, "package-build", "flash-attn", 1, 41, Outcome::kFailed}};
  report.facts = {{"torch_cuda", ValueType::kVersion, "12.8", Origin::kLog, 9, 1},
                  {"cpu_count", ValueType::kInteger, "128", Origin::kHost, 0, 0}};
  Diagnosis diagnosis;
  diagnosis.cause = "cuda-version-mismatch";
  diagnosis.group = "toolkit";
  diagnosis.role = Role::kRoot;
  diagnosis.confidence = Confidence::kCertain;
  diagnosis.retry = "environment";
  diagnosis.units = {1};
  diagnosis.title = "PyTorch was built with CUDA 12.8, nvcc is CUDA 13.1";
  diagnosis.package = "flash-attn";
  diagnosis.package_version = "2.8.3";
  diagnosis.explanation = "both must agree";
  diagnosis.fingerprint = "0123456789abcdef";
  diagnosis.evidence = {{34, 35, 1,
                         "RuntimeError: The detected CUDA version (13.1) mismatches the version "
                         "that was used to compile PyTorch (12.8).",
                         "torch-check"}};
  diagnosis.symptoms = {{"wheel-build-failed", 41, "Failed to build flash-attn"}};
  Remedy first;
  first.id = "install-matching-toolkit";
  first.title = "install CUDA 12.8 beside 13.1 and build with it";
  first.preferred = true;
  first.needs = {"root", "network"};
  first.why = "toolkits live side by side";
  first.steps = {{"sudo apt-get install -y cuda-toolkit-12-8", ""},
                 {"CUDA_HOME=/usr/local/cuda-12.8 PATH=/usr/local/cuda-12.8/bin:$PATH MAX_JOBS=32 "
                  "uv pip install flash-attn --no-build-isolation",
                  "takes an hour"}};
  first.env = {{"CUDA_HOME", "/usr/local/cuda-12.8"}};
  first.check = Check{"/usr/local/cuda-12.8/bin/nvcc --version", "release 12.8"};
  Remedy second;
  second.id = "matching-torch";
  second.title = "take the PyTorch built for CUDA 13.0";
  second.cost = "a 2 GB download";
  second.steps = {{"", "choose it by hand"}};
  diagnosis.remedies = {first, second};
  diagnosis.avoid = {"MAX_JOBS: it does not touch this check"};
  diagnosis.references = {"https://docs.nvidia.com/"};
  report.diagnoses = {diagnosis};
  return report;
}

}  // namespace cudadoctor

#endif  // CUDADOCTOR_TESTS_REPORT_SAMPLE_REPORT_H_

// A log of any bytes, fed in pieces of any size, gives a report that every format can show: without
// control characters, as JSON where it is JSON, redacted or not.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "engine/session.h"
#include "json/json.h"
#include "redact/report.h"
#include "report/bundle.h"
#include "report/renderer.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

bool HasControls(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f;
  });
}

bool IsJson(std::string_view format) {
  return format == "json" || format == "sarif" || format == "rdjson" || format == "codequality";
}

void RequireEveryFormat(const cudadoctor::Report& report) {
  for (const cudadoctor::Format& format : cudadoctor::Formats()) {
    for (const bool follows_log : {false, true}) {
      const std::string text = format.render({&report, 1}, {.follows_log = follows_log});
      // The marks of GitLab's sections are control sequences.
      Require(format.name == "gitlab" || !HasControls(text));
      Require(!IsJson(format.name) || cudadoctor::ParseJson(text, format.name).ok());
    }
  }
  const std::string bundle = cudadoctor::RenderBundle(report);
  Require(bundle.size() <= 4000 && !HasControls(bundle));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const auto* const rules =
      new absl::StatusOr<std::unique_ptr<cudadoctor::RuleSet>>(cudadoctor::RuleSet::Create());
  Require(rules->ok());
  if (size == 0) return 0;
  auto session = cudadoctor::Session::Create(***rules, {.input_name = "fuzz"});
  const std::string_view log(reinterpret_cast<const char*>(data) + 1, size - 1);
  const size_t piece = 1 + data[0];
  for (size_t at = 0; at < log.size(); at += piece)
    Require((*session)->Feed(log.substr(at, piece)).ok());
  absl::StatusOr<cudadoctor::Report> report = (*session)->Finish(std::nullopt);
  Require(report.ok());
  RequireEveryFormat(*report);
  cudadoctor::HidePeople({&*report, 1});
  RequireEveryFormat(*report);
  return 0;
}

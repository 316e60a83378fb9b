// A log of any bytes, fed in pieces of any size, gives a report whose texts hold no control
// character.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "engine/session.h"
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
  const absl::StatusOr<cudadoctor::Report> report = (*session)->Finish(std::nullopt);
  Require(report.ok());
  Require(!HasControls(cudadoctor::RenderText({&*report, 1}, {})));
  cudadoctor::RenderJson({&*report, 1}, {});
  return 0;
}

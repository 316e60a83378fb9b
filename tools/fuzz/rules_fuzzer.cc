// A rule file of any bytes is refused or read; a host description likewise. Neither throws.
#include <cstdint>
#include <string>

#include "host/host_facts.h"
#include "rules/rule_set.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto rules = cudadoctor::RuleSet::FromSources({{"toolkit/fuzz.toml", text}});
  if (rules.ok()) {
    for (size_t f = 0; f < (*rules)->files().size(); ++f) {
      if ((*rules)->files()[f].kind == cudadoctor::FileKind::kCause)
        (*rules)->CauseOf(static_cast<int>(f)).status().IgnoreError();
      (*rules)->SharedRemedyOf((*rules)->files()[f].id).status().IgnoreError();
      cudadoctor::ParseExamples((*rules)->files()[f]).status().IgnoreError();
    }
  }
  cudadoctor::ParseHostFacts(text, "fuzz").status().IgnoreError();
  return 0;
}

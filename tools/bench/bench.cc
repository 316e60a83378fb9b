// Bytes per second of the stages and of a whole session, on a generated log that is mostly
// harmless.
//   build/release/tools/bench/cudadoctor_bench [--benchmark_filter=Session]
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/session.h"
#include "match/matcher.h"
#include "rules/rule_set.h"
#include "text/line.h"

namespace cudadoctor {
namespace {

constexpr size_t kLogBytes = size_t{16} << 20;
constexpr size_t kPieceBytes = size_t{64} << 10;  // as a pipe gives them

// What a long build prints, behind the dresses that it is seen in.
std::string HarmlessLine(std::mt19937& random) {
  const int n = static_cast<int>(random() % 997);
  switch (random() % 8) {
    case 0:
      return absl::StrCat(
          "[", n % 80, "/80] /usr/local/cuda/bin/nvcc -MD -MF build/temp/k", n,
          ".o.d -I/opt/venv/lib/python3.12/site-packages/torch/include "
          "-I/opt/venv/lib/python3.12/site-packages/torch/include/torch/csrc/api/include"
          " -I/usr/local/cuda/include -c csrc/k",
          n, ".cu -o build/temp/k", n,
          ".o -O3 -std=c++17 --use_fast_math -gencode arch=compute_90,code=sm_90 --threads 4");
    case 1:
      return absl::StrFormat(
          "2026-11-30T10:%02d:%02d.%07dZ ptxas info    : Used %d registers, used 1 barriers, %d "
          "bytes cmem[0]",
          n % 60, n % 59, n * 7919, n % 255, n);
    case 2:
      return absl::StrCat("#14 ", n, ".3 copying kernels/ops/layer_", n,
                          ".py -> build/lib.linux-x86_64-cpython-312/kernels/ops");
    case 3:
      return absl::StrCat("Requirement already satisfied: nvidia-cublas-cu12==12.8.", n % 9,
                          ".1 in /opt/venv/lib/python3.12/site-packages (from torch) (12.8.4.1)");
    case 4:
      return absl::StrCat("      \x1b[2madding\x1b[0m 'kernels/layers/rotary_", n, ".py'");
    case 5:
      return absl::StrCat("csrc/api.cpp(", n, "): warning #177-D: variable \"unused", n,
                          "\" was declared but never referenced");
    case 6:
      return absl::StrCat("     ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ ", n,
                          ".0/900.5 MB 41.2 MB/s eta 0:00:", 10 + n % 50);
    default:
      return absl::StrCat("-- Performing Test HAVE_FEATURE_", n, " - Success");
  }
}

const std::string& Log() {
  static const std::string* const log = [] {
    auto* text = new std::string;
    std::mt19937 random(1);
    while (text->size() < kLogBytes) absl::StrAppend(text, HarmlessLine(random), "\n");
    absl::StrAppend(text,
                    "RuntimeError: ('The detected CUDA version (%s) mismatches the version that "
                    "was used to compilePyTorch (%s). ",
                    "Please make sure to use the same CUDA versions.', '13.1', '12.8')\n");
    return text;
  }();
  return *log;
}

const std::vector<std::string_view>& Lines() {
  static const auto* const lines = [] {
    auto* result = new std::vector<std::string_view>;
    std::string_view rest = Log();
    while (!rest.empty()) {
      const size_t end = rest.find('\n');
      result->push_back(rest.substr(0, end));
      rest.remove_prefix(end + 1);
    }
    return result;
  }();
  return *lines;
}

const RuleSet& Rules() {
  static const RuleSet* const rules = [] {
    absl::StatusOr<std::unique_ptr<RuleSet>> made = RuleSet::Create();
    if (!made.ok()) {
      std::cerr << made.status() << "\n";
      std::exit(1);
    }
    return made->release();
  }();
  return *rules;
}

void CountBytes(benchmark::State& state, size_t bytes) {
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * static_cast<int64_t>(bytes));
}

void BM_CreateRuleSet(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(RuleSet::Create());
}
BENCHMARK(BM_CreateRuleSet)->Unit(benchmark::kMillisecond);

void BM_Clean(benchmark::State& state) {
  for (auto _ : state) {
    for (const std::string_view line : Lines()) benchmark::DoNotOptimize(Clean(line));
  }
  CountBytes(state, Log().size());
}
BENCHMARK(BM_Clean)->Unit(benchmark::kMillisecond);

// The search that every byte of a log goes through.
void BM_AtomScanner(benchmark::State& state) {
  const AtomScanner& scanner = Rules().matcher().candidates();
  for (auto _ : state) {
    size_t hits = 0;
    for (size_t at = scanner.Find(Log(), 0); at != AtomScanner::npos;
         at = scanner.Find(Log(), at + 1))
      ++hits;
    benchmark::DoNotOptimize(hits);
  }
  CountBytes(state, Log().size());
}
BENCHMARK(BM_AtomScanner)->Unit(benchmark::kMillisecond);

// Every pattern on every line, as near a failure.
void BM_MatchText(benchmark::State& state) {
  constexpr size_t kLines = 5000;
  std::vector<std::string> texts;
  size_t bytes = 0;
  for (size_t i = 0; i < kLines && i < Lines().size(); ++i) {
    texts.push_back(Clean(Lines()[i]).text);
    bytes += texts.back().size();
  }
  const Matcher& matcher = Rules().matcher();
  std::vector<Match> matches;
  for (auto _ : state) {
    for (const std::string& text : texts) {
      matches.clear();
      if (!matcher.MatchText(text, text.size(), /*candidates_only=*/false, matches).ok())
        return state.SkipWithError("MatchText failed");
    }
  }
  CountBytes(state, bytes);
}
BENCHMARK(BM_MatchText)->Unit(benchmark::kMillisecond);

void BM_Session(benchmark::State& state) {
  for (auto _ : state) {
    absl::StatusOr<std::unique_ptr<Session>> session =
        Session::Create(Rules(), {.input_name = "bench"});
    if (!session.ok()) return state.SkipWithError("Create failed");
    for (size_t at = 0; at < Log().size(); at += kPieceBytes) {
      if (!(*session)->Feed(std::string_view(Log()).substr(at, kPieceBytes)).ok())
        return state.SkipWithError("Feed failed");
    }
    const absl::StatusOr<Report> report = (*session)->Finish(1);
    if (!report.ok() || report->diagnoses.empty())
      return state.SkipWithError("the cause was not found");
  }
  CountBytes(state, Log().size());
}
BENCHMARK(BM_Session)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cudadoctor

BENCHMARK_MAIN();

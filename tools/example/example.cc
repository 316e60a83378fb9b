// The library without the command line: reads a log file and prints the causes.  cudadoctor_example
// LOG
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/session.h"
#include "model/report.h"
#include "rules/rule_set.h"

namespace {

absl::Status PrintCauses(const char* path) {
  std::ifstream log(path, std::ios::binary);
  if (!log) return absl::NotFoundError("the log cannot be opened");

  // Once for a program's life: a rule set serves any number of sessions, in any number of threads.
  absl::StatusOr<std::unique_ptr<cudadoctor::RuleSet>> rules = cudadoctor::RuleSet::Create();
  if (!rules.ok()) return rules.status();

  cudadoctor::SessionOptions options;
  options.input_name = path;
  absl::StatusOr<std::unique_ptr<cudadoctor::Session>> session =
      cudadoctor::Session::Create(**rules, options);
  if (!session.ok()) return session.status();

  // The engine is fed, in pieces of any size.
  std::vector<char> bytes(64 << 10);
  while (log.read(bytes.data(), static_cast<std::streamsize>(bytes.size())) || log.gcount() > 0) {
    const std::string_view piece(bytes.data(), static_cast<size_t>(log.gcount()));
    if (absl::Status status = (*session)->Feed(piece); !status.ok()) return status;
  }
  absl::StatusOr<cudadoctor::Report> report = (*session)->Finish(/*exit_status=*/std::nullopt);
  if (!report.ok()) return report.status();

  for (const cudadoctor::Diagnosis& diagnosis : report->diagnoses) {
    std::cout << diagnosis.cause << ": " << diagnosis.title << "\n";
    for (const cudadoctor::Evidence& evidence : diagnosis.evidence)
      std::cout << "  line " << evidence.line << ": " << evidence.text << "\n";
    if (diagnosis.remedies.empty()) continue;
    for (const cudadoctor::Step& step : diagnosis.remedies.front().steps) {
      if (!step.run.empty()) std::cout << "  $ " << step.run << "\n";
    }
  }
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: cudadoctor_example LOG\n";
    return 2;
  }
  if (const absl::Status status = PrintCauses(argv[1]); !status.ok()) {
    std::cerr << argv[1] << ": " << status.message() << "\n";
    return 1;
  }
  return 0;
}

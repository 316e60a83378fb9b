#include "cli/main_app.h"

#include <algorithm>
#include <csignal>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/views.h"
#include "cli/commands.h"
#include "cli/run_options.h"
#include "report/renderer.h"
#include "text/line.h"

namespace cudadoctor {
namespace {

constexpr const char* kFooter =
    "Exit status: 0 no failure found, 1 a failure was found, 2 usage, 3 some input could not be "
    "read or a report not written.\n"
    "Example: uv pip install flash-attn --no-build-isolation 2>&1 | cudadoctor";

std::vector<std::string> FormatNames() {
  std::vector<std::string> names;
  for (const Format& format : Formats()) names.emplace_back(format.name);
  return names;
}

// Splits FORMAT=FILE.
// Errors: kInvalidArgument.
absl::StatusOr<std::pair<const Format*, std::string>> ParseReport(const std::string& report) {
  const size_t equals = report.find('=');
  const Format* format = FindFormat(std::string_view(report).substr(0, equals));
  if (equals == std::string::npos || equals + 1 == report.size() || format == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat("--report ", report,
                                                   ": must be FORMAT=FILE, with a FORMAT of ",
                                                   absl::StrJoin(FormatNames(), ", ")));
  }
  return std::pair(format, report.substr(equals + 1));
}

}  // namespace

// A file's name, like a log, may hold what a terminal would obey.
void PrintError(std::string_view message) {
  std::cerr << "cudadoctor: " << Clean(message).text << "\n";
}

int RunApp(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  CLI::App app(
      "Reads the log of a failing build or installation and says the root cause and the command "
      "that fixes it.",
      "cudadoctor");
  app.footer(kFooter);
  app.set_version_flag("--version", absl::StrCat("cudadoctor ", kVersion));
  DiagnoseOptions options;
  std::vector<std::string> reports;
  std::string rules_folder;
  app.add_option(
      "FILE", options.files,
      "log files (UTF-8, UTF-16, gzip, zstd, xz, bzip2); standard input when there are none");
  std::string format;
  // Those of `run` too, which may stand before and after that word.
  const auto add_report_options = [&](CLI::App& to) {
    to.add_option("--format", format,
                  "what to print; of a CI system its own, elsewhere text, unless given")
        ->check(CLI::IsMember(FormatNames()));
    to.add_option("--report", reports, "write a report besides: FORMAT=FILE; may be repeated")
        ->allow_extra_args(false);
    to.add_option("--color", options.output.color, "colours: auto, always or never")
        ->check(CLI::IsMember({"auto", "always", "never"}))
        ->capture_default_str();
    to.add_option(
          "--host", options.host,
          "facts of the log's machine: auto, local, none, or a JSON file of 'cudadoctor host'")
        ->capture_default_str();
    to.add_option("--rules", rules_folder,
                  "a folder of rules that replace or extend those built in");
  };
  add_report_options(app);
  app.add_flag("-q,--quiet", options.output.is_quiet, "do not pass the log of a pipe through");

  CLI::App* run = app.add_subcommand(
      "run", "run a command, and diagnose its output when it fails; exits as the command did");
  RunOptions run_options;
  std::vector<std::string> words;
  run->add_option("COMMAND", words, "the command with its arguments; \"--\" may stand before it");
  run->add_option("--retry", run_options.retries,
                  "when the cause is certain and its fix sets only variables (MAX_JOBS, CUDA_HOME, "
                  "…), try again with them, at most so often")
      ->check(CLI::Range(0, 9));
  run->add_option("--log", run_options.log_file, "also write the command's output to this file");
  run->add_flag("-q,--quiet", options.output.is_quiet, "no status line while a build is silent");
  add_report_options(*run);

  CLI::App* explain = app.add_subcommand("explain", "the long explanation of a cause");
  std::string cause;
  explain->add_option("CAUSE", cause, "a cause's id")->required();

  CLI::App* host = app.add_subcommand(
      "host", "what this machine has; its JSON can be given back with --host FILE");
  std::string host_format = "text";
  host->add_option("--format", host_format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();

  CLI::App* rules_command = app.add_subcommand("rules", "list or check the rules");
  rules_command->require_subcommand(1);
  CLI::App* list =
      rules_command->add_subcommand("list", "every rule file, with its kind, group and status");
  CLI::App* check = rules_command->add_subcommand("check", "validate rules and run their examples");
  std::vector<std::string> rule_files;
  check->add_option("FILE", rule_files, "rule files; all rules when there are none");

  CLI::App* trace =
      app.add_subcommand("trace", "which patterns fired where, and why each cause won or lost");
  std::vector<std::string> traced;
  trace->add_option("LOG", traced, "a log file")->required()->expected(1);

  std::vector<std::string> arguments(argv + 1, argv + argc);
  run_options.command = TakeCommand(
      [&](std::string_view name) {
        const CLI::Option* option = run->get_option_no_throw(std::string(name));
        return option != nullptr && option->get_items_expected_max() > 0;
      },
      arguments);
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    const bool is_question = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success);
    app.exit(error);
    return is_question ? kNoFailure : kUsage;
  }
  options.output.format = FindFormat(format);
  for (const std::string& report : reports) {
    absl::StatusOr<std::pair<const Format*, std::string>> parsed = ParseReport(report);
    if (!parsed.ok()) {
      PrintError(Std(parsed.status().message()));
      return kUsage;
    }
    options.output.files.push_back(*std::move(parsed));
  }
  if (run->parsed() && run_options.command.empty()) {
    PrintError("run: no command; name it: cudadoctor run -- pip install flash-attn");
    return kUsage;
  }
  if (host->parsed()) return RunHost(host_format);
  if (check->parsed()) return RunRulesCheck(rule_files, rules_folder);

  const absl::StatusOr<std::unique_ptr<RuleSet>> rules = LoadRules(rules_folder);
  if (!rules.ok()) {
    PrintError(Std(rules.status().message()));
    return kUnreadable;
  }
  if (explain->parsed()) return RunExplain(**rules, cause);
  if (list->parsed()) return RunRulesList(**rules);
  if (run->parsed()) {
    run_options.output = options.output;
    run_options.host = options.host;
    return RunRun(**rules, run_options);
  }
  if (trace->parsed()) {
    options.files = traced;
    options.is_trace = true;
  }
  return RunDiagnose(**rules, options);
}

}  // namespace cudadoctor

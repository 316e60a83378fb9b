#include "cli/main_app.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <functional>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/views.h"
#include "cli/commands.h"
#include "cli/input.h"
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

// The command line: one method a command, which adds its options and says what runs it.
class CommandLine {
 public:
  CommandLine() {
    app_.footer(kFooter);
    app_.set_version_flag("--version", absl::StrCat("cudadoctor ", Absl(kVersion)));
    AddDiagnose();
    AddRun();
    AddHost();
    AddCheck();
    AddBundle();
    AddRedact();
    AddExplain();
    AddRules();
    AddTrace();
  }

  int Run(std::vector<std::string> arguments) {
    command_ =
        TakeCommand([this](std::string_view name) { return TakesValueOfRun(name); }, arguments);
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
    try {
      app_.parse(std::move(arguments));
    } catch (const CLI::ParseError& error) {
      const bool is_question = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success);
      std::ostringstream out;
      app_.exit(error, out, std::cerr);
      return is_question ? Print(out.str()) : kUsage;
    }
    output_.format = FindFormat(format_);
    for (const std::string& report : reports_) {
      absl::StatusOr<std::pair<const Format*, std::string>> parsed = ParseReport(report);
      if (!parsed.ok()) {
        PrintError(Std(parsed.status().message()));
        return kUsage;
      }
      output_.files.push_back(*std::move(parsed));
    }
    return run_();
  }

 private:
  using RunWithRules = std::function<int(const RuleSet& rules)>;

  // Says what runs when `command` is asked for.
  void Runs(CLI::App& command, std::function<int()> run) {
    command.final_callback([this, run = std::move(run)] { run_ = run; });
  }
  void RunsWithRules(CLI::App& command, RunWithRules run) {
    Runs(command, [this, run = std::move(run)] { return WithRules(run); });
  }

  int WithRules(const RunWithRules& run) const {
    const absl::StatusOr<std::unique_ptr<RuleSet>> rules = LoadRules(rules_folder_);
    if (!rules.ok()) {
      PrintMistake(absl::StrCat("cudadoctor: ", rules.status().message()));
      return kUnreadable;
    }
    return run(**rules);
  }

  // Those of the program, which `run` takes too, behind that word.
  void AddReportOptions(CLI::App& to) {
    to.add_option("--format", format_,
                  "what to print; of a CI system its own, elsewhere text, unless given")
        ->check(CLI::IsMember(FormatNames()));
    to.add_option("--report", reports_, "write a report besides: FORMAT=FILE; may be repeated")
        ->allow_extra_args(false);
    AddColor(to);
    AddHostAndRedact(to);
    AddRulesFolder(to);
  }

  void AddRulesFolder(CLI::App& to) {
    to.add_option("--rules", rules_folder_,
                  "a folder of rules that replace or extend those built in");
  }

  void AddColor(CLI::App& to) {
    to.add_option("--color", output_.color, "colours: auto, always or never")
        ->check(CLI::IsMember({"auto", "always", "never"}))
        ->capture_default_str();
  }

  void AddHostAndRedact(CLI::App& to) {
    to.add_flag("--no-redact", output_.shows_names,
                "show names of people and of their folders in reports for others, too; credentials "
                "never are");
    to.add_option(
          "--host", host_,
          "facts of the log's machine: auto, local, none, or a JSON file of 'cudadoctor host'")
        ->capture_default_str();
  }

  void AddDiagnose() {
    app_.add_option(
        "FILE", files_,
        "log files (UTF-8, UTF-16, gzip, zstd, xz, bzip2); standard input when there are none");
    AddReportOptions(app_);
    app_.add_flag("-q,--quiet", output_.is_quiet, "do not pass the log of a pipe through");
    run_ = [this] {
      return WithRules([this](const RuleSet& rules) {
        return RunDiagnose(rules, {files_, output_, host_, /*is_trace=*/false});
      });
    };
  }

  void AddRun() {
    run_command_ = app_.add_subcommand(
        "run", "run a command, and diagnose its output when it fails; exits as the command did");
    // For --help only: TakeCommand has taken the words away.
    run_command_->add_option("COMMAND", no_words_,
                             "the command with its arguments; \"--\" may stand before it");
    run_command_
        ->add_option("--retry", retries_,
                     "when the cause is certain and its fix sets only variables (MAX_JOBS, "
                     "CUDA_HOME, …), try again with them, at most so often")
        ->check(CLI::Range(0, 9));
    run_command_->add_option("--log", log_file_, "also write the command's output to this file");
    run_command_->add_flag("-q,--quiet", output_.is_quiet,
                           "no status line while a build is silent");
    AddReportOptions(*run_command_);
    run_command_->footer(
        "Exit status: the command's, 128 and the signal where one ended it, 127 and 126 where it "
        "did not start; 2 usage, 3 --host, --rules or --log cannot be used.\n"
        "Example: cudadoctor run --retry 2 -- uv pip install flash-attn --no-build-isolation");
    Runs(*run_command_, [this] {
      if (command_.empty()) {
        PrintError("run: no command; name it: cudadoctor run -- pip install flash-attn");
        return kUsage;
      }
      return WithRules([this](const RuleSet& rules) {
        return RunRun(rules, {command_, output_, host_, retries_, log_file_});
      });
    });
  }

  bool TakesValueOfRun(std::string_view name) const {
    const CLI::Option* option = run_command_->get_option_no_throw(std::string(name));
    return option != nullptr && option->get_items_expected_max() > 0;
  }

  void AddHost() {
    CLI::App* host = app_.add_subcommand(
        "host", "what this machine has; its JSON can be given back with --host FILE");
    AddTextOrJson(*host);
    host->footer(
        "Exit status: 0 done, 2 usage, 3 it could not be written.\n"
        "Example: cudadoctor host --format json > host.json");
    Runs(*host, [this] { return RunHost(text_or_json_); });
  }

  void AddCheck() {
    CLI::App* check = app_.add_subcommand(
        "check", "what would stop the installation of a package, before it is tried");
    check->add_option("PACKAGE", files_, "as for pip install: flash-attn==2.8.3")->required();
    check->add_flag("--no-build-isolation", has_no_build_isolation_,
                    "it is to be installed with this option");
    check
        ->add_option("--host", machine_,
                     "the machine to check: local, or a JSON file of 'cudadoctor host'")
        ->capture_default_str();
    AddTextOrJson(*check);
    AddColor(*check);
    check->footer(
        "Exit status: 0 nothing known would stop it, 1 something would, 2 usage, 3 the facts "
        "could not be read.");
    RunsWithRules(*check, [this](const RuleSet& rules) {
      return RunCheck(rules, {files_, has_no_build_isolation_, machine_,
                              /*is_json=*/text_or_json_ == "json", output_.color});
    });
  }

  void AddBundle() {
    CLI::App* bundle = app_.add_subcommand(
        "bundle", "what a maintainer needs of a log, as Markdown of less than 4 kB");
    bundle->add_option("LOG", files_, "a log file; standard input when there is none")
        ->expected(0, 1);
    AddHostAndRedact(*bundle);
    bundle->footer(
        "Exit status: 0 done, 2 usage, 3 the log could not be read to its end, or the facts not.\n"
        "Example: cudadoctor bundle build.log");
    RunsWithRules(*bundle, [this](const RuleSet& rules) {
      return RunBundle(rules, {files_.empty() ? "" : files_.front(), host_, output_.shows_names});
    });
  }

  void AddRedact() {
    CLI::App* redact = app_.add_subcommand(
        "redact", "the log, without credentials and names of people, to show it to others");
    redact->add_option("LOG", files_, "a log file; standard input when there is none")
        ->expected(0, 1);
    redact->footer(
        "Exit status: 0 done, 2 usage, 3 the log could not be read to its end, or not written.\n"
        "Example: cudadoctor redact build.log > public.log");
    Runs(*redact, [this] { return RunRedact(files_.empty() ? "" : files_.front()); });
  }

  void AddTextOrJson(CLI::App& to) {
    to.add_option("--format", text_or_json_, "text or json")
        ->check(CLI::IsMember({"text", "json"}))
        ->capture_default_str();
  }

  void AddExplain() {
    CLI::App* explain = app_.add_subcommand("explain", "the long explanation of a cause");
    explain->add_option("CAUSE", cause_, "a cause's id")->required();
    AddRulesFolder(*explain);
    RunsWithRules(*explain, [this](const RuleSet& rules) { return RunExplain(rules, cause_); });
  }

  void AddRules() {
    CLI::App* rules_command = app_.add_subcommand("rules", "list or check the rules, or begin one");
    rules_command->require_subcommand(1);
    CLI::App* list =
        rules_command->add_subcommand("list", "every rule file, with its kind, group and status");
    AddRulesFolder(*list);
    RunsWithRules(*list, RunRulesList);
    CLI::App* check =
        rules_command->add_subcommand("check", "validate rules and run their examples");
    check->add_option("FILE", files_, "rule files; all rules when there are none");
    AddRulesFolder(*check);
    Runs(*check, [this] { return RunRulesCheck(files_, rules_folder_); });
    CLI::App* begin = rules_command->add_subcommand(
        "new", "write the beginning of a rule, which passes the check as it is");
    begin->add_option("ID", cause_, "the cause's id: frobnicator-missing")->required();
    begin->add_option("--group", group_, "toolkit, host, resources, packaging, source or runtime")
        ->check(CLI::IsMember({"toolkit", "host", "resources", "packaging", "source", "runtime"}))
        ->capture_default_str();
    begin->add_option("--rules", rules_folder_, "the folder of rules; without it ./rules");
    Runs(*begin, [this] {
      return RunRulesNew(cause_, group_, rules_folder_.empty() ? "rules" : rules_folder_);
    });
  }

  void AddTrace() {
    CLI::App* trace =
        app_.add_subcommand("trace", "which patterns fired where, and why each cause won or lost");
    trace->add_option("LOG", files_, "a log file")->required()->expected(1);
    RunsWithRules(*trace, [this](const RuleSet& rules) {
      return RunDiagnose(rules, {files_, output_, host_, /*is_trace=*/true});
    });
  }

  CLI::App app_{
      "Reads the log of a failing build or installation and says the root cause and the command "
      "that fixes it.",
      "cudadoctor"};
  std::function<int()> run_;
  std::string rules_folder_;
  std::vector<std::string> files_;
  std::string format_;
  std::vector<std::string> reports_;
  OutputOptions output_;
  std::string host_ = "auto";
  std::string text_or_json_ = "text";
  std::string machine_ = "local";
  bool has_no_build_isolation_ = false;
  std::string cause_;
  std::string group_ = "host";
  CLI::App* run_command_ = nullptr;
  std::vector<std::string> command_;
  std::vector<std::string> no_words_;
  int retries_ = 0;
  std::string log_file_;
};

}  // namespace

void PrintMistake(std::string_view message) {
  std::vector<std::string> lines = absl::StrSplit(Absl(message), '\n');
  for (std::string& line : lines) line = Printable(line);
  std::cerr << absl::StrJoin(lines, "\n") << "\n";
}

// A file's name, like a log, may hold what a terminal would obey.
void PrintError(std::string_view message) {
  std::cerr << "cudadoctor: " << Printable(message) << "\n";
}

int Print(std::string_view text) {
  const absl::Status status = WriteDescriptor(STDOUT_FILENO, text);
  if (status.ok()) return kNoFailure;
  PrintError(Std(status.message()));
  return kUnreadable;
}

namespace {

// A file that is opened while one of these is closed would get its number, and what is meant for a
// terminal. Reading and writing still fail, as on a closed one.
void HoldStandardDescriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) < 0)
      open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace

int RunApp(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  HoldStandardDescriptors();
  return CommandLine().Run({argv + 1, argv + argc});
}

}  // namespace cudadoctor

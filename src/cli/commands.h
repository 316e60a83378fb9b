// cli/commands.h: what the program's commands do. Each returns the exit status.
#ifndef CUDADOCTOR_CLI_COMMANDS_H_
#define CUDADOCTOR_CLI_COMMANDS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/report_output.h"
#include "rules/rule_set.h"

namespace cudadoctor {

// Exit statuses.
inline constexpr int kNoFailure = 0;
inline constexpr int kFailureFound = 1;
inline constexpr int kUsage = 2;
inline constexpr int kUnreadable = 3;  // some input could not be read or a report not written

struct DiagnoseOptions {
  std::vector<std::string> files;  // empty: standard input
  OutputOptions output;
  std::string host = "auto";  // auto, local, none, or a file
  bool is_trace = false;      // say what fired and why each cause won or lost, on standard output
};

struct RunOptions {
  std::vector<std::string> command;  // the program and its arguments
  OutputOptions output;              // is_quiet: no status line
  std::string host = "auto";
  int retries = 0;       // how often to try again with other variables
  std::string log_file;  // the command's output as it is; empty: none
};

struct CheckOptions {
  std::vector<std::string> packages;  // as for pip install
  bool no_build_isolation = false;
  std::string host = "local";
  bool is_json = false;
  std::string color = "auto";
};

// Says what would stop the installation of each package: kFailureFound when something would.
int RunCheck(const RuleSet& rules, const CheckOptions& options);

struct BundleOptions {
  std::string file;  // empty: standard input
  std::string host = "auto";
  bool shows_names = false;
};

// Prints what a maintainer needs of a log, as Markdown.
int RunBundle(const RuleSet& rules, const BundleOptions& options);
// Prints a log that can be shown to others: `file`, or standard input when it is empty.
int RunRedact(const std::string& file);
int RunDiagnose(const RuleSet& rules, const DiagnoseOptions& options);
// Runs a command, diagnoses its output when it fails, and returns the command's exit status.
int RunRun(const RuleSet& rules, const RunOptions& options);
int RunExplain(const RuleSet& rules, const std::string& cause);
// Prints what this machine has: `format` is text or json.
int RunHost(const std::string& format);
int RunRulesList(const RuleSet& rules);
// Checks `files`, or all rules when there are none. `rules_folder` is --rules.
int RunRulesCheck(const std::vector<std::string>& files, const std::string& rules_folder);

// Writes the beginning of a rule for the cause `id`, FOLDER/GROUP/ID.toml, which passes the check
// as it is; never over a file. Refuses an id that is known or is none.
int RunRulesNew(const std::string& id, const std::string& group, const std::string& folder);

// The rules that are built in, and those of the folder `overlay` unless it is empty.
// Errors: kNotFound, no such folder; kInvalidArgument, it is not one, or a file in it is no valid
// rule.
absl::StatusOr<std::unique_ptr<RuleSet>> LoadRules(const std::string& overlay);

// Says on standard error what is wrong with a rule file: "FILE:LINE:COLUMN: …", the line, a caret.
void PrintMistake(std::string_view message);

// Writes `text` to standard output: kNoFailure, or kUnreadable when it cannot be written, which is
// said.
int Print(std::string_view text);

// Says what went wrong on standard error: "cudadoctor: MESSAGE".
void PrintError(std::string_view message);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_CLI_COMMANDS_H_

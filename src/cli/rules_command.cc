#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "base/status_macros.h"
#include "base/views.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "engine/rule_check.h"
#include "text/line.h"

namespace cudadoctor {
namespace {

namespace fs = std::filesystem;

absl::StatusOr<std::vector<SourceFile>> ReadRuleFolder(const std::string& folder) {
  std::error_code error;
  if (!fs::exists(folder, error))
    return absl::NotFoundError(absl::StrCat("--rules ", Printable(folder), ": no such folder"));
  if (!fs::is_directory(folder, error))
    return absl::InvalidArgumentError(
        absl::StrCat("--rules ", Printable(folder), ": is no folder"));
  std::vector<SourceFile> sources;
  for (auto entry = fs::recursive_directory_iterator(folder, error);
       !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (entry->path().extension() != ".toml") continue;
    const std::string origin = entry->path().lexically_relative(folder).generic_string();
    ASSIGN_OR_RETURN(std::string text, ReadSmallFile(entry->path().string()));
    sources.push_back({origin, std::move(text)});
  }
  if (error) return absl::UnknownError(absl::StrCat("--rules ", folder, ": ", error.message()));
  std::sort(sources.begin(), sources.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.origin < b.origin; });
  return sources;
}

const char* KindName(FileKind kind) {
  switch (kind) {
    case FileKind::kCause:
      return "cause";
    case FileKind::kSymptom:
      return "symptom";
    case FileKind::kFacts:
      return "facts";
    case FileKind::kUnit:
      return "unit";
    case FileKind::kRemedy:
      return "remedy";
  }
  return "";
}

// {{ID}}, {{GROUP}} and {{MESSAGE}} stand for what is known; the rest is for the author.
constexpr std::string_view kTemplate = R"(id = "{{ID}}"
group = "{{GROUP}}"
status = "draft"
retry = "environment" # transient: try again; runner: a larger machine; environment or source: change it
title = "{{ID}}" # one line, what is wrong; facts stand in braces: {package}
explanation = '''
What happens, why, and what to do about it: a few sentences for 'cudadoctor explain {{ID}}'.
'''
explains = ["wheel-build-failed", "subprocess-exited-with-error"] # symptoms that this cause accounts for
yields_to = [] # causes that win where both are found
avoid = ["what people try in vain"]

[[signatures]]
name = "message"
confidence = "likely" # certain: the text leaves no other cause

# 1. The fixed words of the tool's message, in all its versions, and the same as an example below. A blank is any
#    white space; (?P<name>\S+) with [captures] name = {type = "…"} makes a fact.
[[signatures.all]]
name = "message"
pattern = '{{MESSAGE}}'

# 2. What a user types for it, for a POSIX shell and pip: the engine writes it for cmd, Dockerfiles, uv and others.
[[remedies]]
id = "change-it"
title = "what is done"

[[remedies.steps]]
run = "{pip} install something"

[[remedies.steps]]
rerun = {} # the user's own command again; add = ["--option"], env = {NAME = "value"}

[[references]]
url = "https://example.org/"
says = "where the message or the fix is explained"

[[examples]]
name = "as the tool prints it"
tool = "tool 1.0"
log = '{{MESSAGE}}'

[[counter_examples]]
name = "what looks like it and is not"
log = 'no such message here'
)";

// Lower case words joined by dashes.
bool IsId(std::string_view id) {
  if (id.empty() || id.front() == '-' || id.back() == '-') return false;
  return std::all_of(id.begin(), id.end(), [](char c) {
    return absl::ascii_islower(static_cast<unsigned char>(c)) ||
           absl::ascii_isdigit(static_cast<unsigned char>(c)) || c == '-';
  });
}

}  // namespace

absl::StatusOr<std::unique_ptr<RuleSet>> LoadRules(const std::string& overlay) {
  if (overlay.empty()) return RuleSet::Create();
  ASSIGN_OR_RETURN(const std::vector<SourceFile> sources, ReadRuleFolder(overlay));
  return RuleSet::Create(sources);
}

int RunRulesList(const RuleSet& rules) {
  std::string text;
  for (const RuleFile& file : rules.files()) {
    const std::string status =
        file.kind == FileKind::kCause ? (file.is_stable ? "stable" : "draft") : "";
    absl::StrAppendFormat(&text, "%-34s %-8s %-10s %-7s %d patterns\n", file.id,
                          KindName(file.kind), file.group, status, file.pattern_count);
  }
  return Print(text);
}

int RunRulesCheck(const std::vector<std::string>& files, const std::string& rules_folder) {
  std::vector<SourceFile> sources;
  if (!rules_folder.empty()) {
    absl::StatusOr<std::vector<SourceFile>> folder = ReadRuleFolder(rules_folder);
    if (!folder.ok()) {
      PrintError(Std(folder.status().message()));
      return kUnreadable;
    }
    sources = *std::move(folder);
  }
  std::vector<std::string> ids;
  for (const std::string& file : files) {
    absl::StatusOr<std::string> text = ReadSmallFile(file);
    if (!text.ok()) {
      PrintError(Std(text.status().message()));
      return kUnreadable;
    }
    ids.push_back(fs::path(file).stem().string());
    sources.push_back({file, *std::move(text)});
  }
  const absl::StatusOr<std::unique_ptr<RuleSet>> rules = RuleSet::Create(sources);
  if (!rules.ok()) {
    PrintMistake(Std(rules.status().message()));
    return kFailureFound;
  }
  const RuleCheck check = CheckRules(**rules, ids);
  for (const std::string& mistake : check.mistakes) PrintMistake(mistake);
  const int printed = Print(absl::StrCat(check.files, " rule files, ", check.examples,
                                         " examples, ", check.mistakes.size(), " mistakes\n"));
  if (printed != kNoFailure) return printed;
  if (check.files == 0) {
    PrintError("no rule file was checked; name files, or a folder with --rules");
    return kUsage;
  }
  return check.mistakes.empty() ? kNoFailure : kFailureFound;
}

int RunRulesNew(const std::string& id, const std::string& group, const std::string& folder) {
  if (!IsId(id)) {
    PrintError(absl::StrCat("\"", Printable(id),
                            "\" is no id; lower case words with dashes: frobnicator-missing"));
    return kUsage;
  }
  const absl::StatusOr<std::unique_ptr<RuleSet>> rules = RuleSet::Create();
  if (rules.ok() && (*rules)->Find(id) != nullptr) {
    PrintError(absl::StrCat("there is a rule ", id, " already: ", (*rules)->Find(id)->origin));
    return kUsage;
  }
  const fs::path path = fs::path(folder) / group / (id + ".toml");
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    PrintError(
        absl::StrCat(Printable(folder), ": no such folder; name that of the rules with --rules"));
    return kUnreadable;
  }
  if (fs::exists(path, error)) {
    PrintError(absl::StrCat(Printable(path.string()), ": is there already"));
    return kUsage;
  }
  fs::create_directories(path.parent_path(), error);
  const std::string text = absl::StrReplaceAll(
      Absl(kTemplate), {{"{{ID}}", id},
                        {"{{GROUP}}", group},
                        {"{{MESSAGE}}", "fixed words of the message of " + id}});
  if (const absl::Status written = WriteFile(path.string(), text); !written.ok()) {
    PrintError(Std(written.message()));
    return kUnreadable;
  }
  const std::string shown = Printable(path.string());
  return Print(absl::StrCat(shown, ": edit what is marked 1 and 2, then\n  cudadoctor rules check ",
                            shown, "\n  cudadoctor --rules ", Printable(folder), " FAILING.log\n"));
}

}  // namespace cudadoctor

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
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

}  // namespace cudadoctor

#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/views.h"
#include "cli/commands.h"
#include "cli/input.h"

namespace cudadoctor {
namespace {

// Number of single-letter changes between two words, for the nearest known cause.
size_t EditDistance(const std::string& a, const std::string& b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

std::string NearestCause(const RuleSet& rules, const std::string& wanted) {
  std::string nearest;
  size_t distance = 1000;
  for (const RuleFile& file : rules.files()) {
    if (file.kind != FileKind::kCause) continue;
    const size_t here = EditDistance(wanted, file.id);
    if (here < distance) {
      distance = here;
      nearest = file.id;
    }
  }
  return nearest;
}

// A text for a reader who has no log: holes stand as their names.
std::string Plain(const Texts& texts) { return texts.empty() ? "" : texts.back(); }

}  // namespace

int RunExplain(const RuleSet& rules, const std::string& id) {
  const RuleFile* file = rules.Find(id);
  if (file == nullptr || file->kind != FileKind::kCause) {
    PrintError(absl::StrCat("no cause is called \"", id, "\"; nearest: ", NearestCause(rules, id),
                            "; all: cudadoctor rules list"));
    return kUsage;
  }
  const absl::StatusOr<const Cause*> found =
      rules.CauseOf(static_cast<int>(file - rules.files().data()));
  if (!found.ok()) {
    PrintError(Std(found.status().message()));
    return kUnreadable;
  }
  const Cause& cause = **found;
  std::string text =
      absl::StrCat(cause.id, " (", cause.group, ")\n\n", cause.explanation, "\n\nWhat helps\n");
  for (const RemedyPlan& remedy : cause.remedies) {
    std::string title = Plain(remedy.title);
    if (title.empty()) {
      const absl::StatusOr<const SharedRemedy*> shared = rules.SharedRemedyOf(remedy.use);
      title = shared.ok() ? Plain((*shared)->title) : remedy.use;
    }
    absl::StrAppend(&text, "  ", title, "\n");
  }
  if (!cause.avoid.empty()) text.append("\nWhat does not\n");
  for (const Texts& avoid : cause.avoid) absl::StrAppend(&text, "  ", Plain(avoid), "\n");
  text.append("\nReferences\n");
  for (const Reference& reference : cause.references)
    absl::StrAppend(&text, "  ", reference.url, "\n    ", reference.says, "\n");
  return Print(text);
}

}  // namespace cudadoctor

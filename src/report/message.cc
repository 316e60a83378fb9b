#include "report/message.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/views.h"
#include "report/markdown.h"
#include "report/names.h"
#include "report/place.h"
#include "report/quote.h"

namespace cudadoctor {
namespace {

// Problem lists show a line; a command that makes a message longer than this is left out, not cut.
constexpr size_t kMaxMessage = 200;

// Where ":12:" begins at or after `from`, or npos.
size_t FindNumberBetweenColons(std::string_view text, size_t from) {
  for (size_t i = text.find(':', from); i != text.npos; i = text.find(':', i + 1)) {
    const size_t end = text.find_first_not_of("0123456789", i + 1);
    if (end != text.npos && end > i + 1 && text[end] == ':') return i;
  }
  return text.npos;
}

// Text of a log that no editor takes for a place: VS Code's matcher looks for the last ":1:2:" of a
// line, Vim's for a quoted name with a number behind it.
std::string Prose(std::string_view text) {
  std::string prose = OneLine(text);
  std::replace(prose.begin(), prose.end(), '"', '\'');
  for (size_t i = 0; (i = FindNumberBetweenColons(prose, i)) != prose.npos; i += 2)
    prose.insert(i + 1, " ");
  return prose;
}

// Whether a command can stand in a line as it is; changed, it would be another command.
bool FitsAsItIs(std::string_view command) {
  return OneLine(command) == command && FindNumberBetweenColons(command, 0) == command.npos &&
         !(absl::StrContains(Absl(command), "\"") && absl::StrContains(Absl(command), ": "));
}

// The preferred remedy's title, with the command when there is exactly one and it takes at most
// `room` bytes: the first of several commands is no fix.
std::string Fix(const Remedy& remedy, size_t room) {
  const std::string title = Prose(remedy.title);
  std::string_view command;
  int commands = 0;
  for (const Step& step : remedy.steps) {
    if (step.run.empty()) continue;
    ++commands;
    command = step.run;
  }
  constexpr std::string_view kBefore = ": ";
  if (commands != 1 || !FitsAsItIs(command) ||
      title.size() + kBefore.size() + command.size() > room)
    return title;
  return absl::StrCat(title, Absl(kBefore), Absl(command));
}

// A source whose name would be misread is not used: the log is the place then.
SourceLocation UnambiguousPlace(const Report& report, const Diagnosis& diagnosis) {
  SourceLocation place = PlaceOf(report, diagnosis);
  if (place.file.find_first_of(":\"") != std::string::npos || OneLine(place.file) != place.file)
    place = PlaceInLog(report, diagnosis);
  place.file = OneLine(place.file);
  return place;
}

// Where SARIF's "{0", which stands for an argument, begins at or after `from`, or npos.
size_t FindPlaceholder(std::string_view text, size_t from) {
  for (size_t i = text.find('{', from); i != text.npos; i = text.find('{', i + 1)) {
    if (i + 1 < text.size() && absl::ascii_isdigit(static_cast<unsigned char>(text[i + 1])))
      return i;
  }
  return text.npos;
}

std::string WithoutPlaceholders(std::string text) {
  for (size_t i = 0; (i = FindPlaceholder(text, i)) != text.npos; i += 2) text.insert(i + 1, " ");
  return text;
}

std::string SarifText(std::string_view text) {
  std::string result = WithoutPlaceholders(OneLine(text));
  for (size_t i = 0; (i = result.find("](", i)) != result.npos; i += 2) result.insert(i + 1, " ");
  return result;
}

std::string SarifMarkdown(std::string_view text) {
  return MarkdownInline(WithoutPlaceholders(OneLine(text)));
}

std::string Advice(const Diagnosis& diagnosis, std::string (*prose)(std::string_view),
                   bool (*is_command_text)(std::string_view)) {
  // What is shown alone in a list is the first sentence.
  std::string text = absl::StrCat(prose(diagnosis.title), ".");
  if (diagnosis.remedies.empty()) return text;
  const Remedy& remedy = diagnosis.remedies.front();
  absl::StrAppend(&text, "\n\nfix: ", prose(TitleWithCost(remedy)));
  const auto is_text = [is_command_text](const std::string& run) {
    return OneLine(run) == run && is_command_text(run);
  };
  const bool has_commands = std::all_of(remedy.steps.begin(), remedy.steps.end(),
                                        [&](const Step& step) { return is_text(step.run); });
  const char* separator = "\n\n";
  for (const Step& step : remedy.steps) {
    if (!step.run.empty() && has_commands) {
      absl::StrAppend(&text, separator, "    ", step.run);
      separator = "\n";
    }
    if (!step.note.empty()) {
      absl::StrAppend(&text, "\n\nnote: ", prose(step.note));
      separator = "\n\n";
    }
  }
  if (remedy.check.has_value() && is_text(remedy.check->run)) {
    absl::StrAppend(&text, "\n\ncheck that this says ", prose(remedy.check->says), ":\n\n    ",
                    remedy.check->run);
  }
  return text;
}

}  // namespace

const char* ForRole(Role role, const char* root, const char* contributing, const char* latent) {
  switch (role) {
    case Role::kRoot:
      return root;
    case Role::kContributing:
      return contributing;
    case Role::kLatent:
      return latent;
  }
  return root;
}

std::string LineMessage(const Diagnosis& diagnosis) {
  std::string message = Prose(diagnosis.title);
  if (diagnosis.remedies.empty()) return message;
  constexpr std::string_view kBefore = "; fix: ";
  const size_t used = message.size() + kBefore.size();
  absl::StrAppend(&message, Absl(kBefore),
                  Fix(diagnosis.remedies.front(), kMaxMessage - std::min(kMaxMessage, used)));
  return message;
}

std::string GccLine(const Report& report, const Diagnosis& diagnosis) {
  const SourceLocation place = UnambiguousPlace(report, diagnosis);
  return absl::StrCat(place.file, ":", place.line, ":", place.column, ": ",
                      ForRole(diagnosis.role, "error", "warning", "warning"), ": ",
                      LineMessage(diagnosis), " [", diagnosis.cause, "]");
}

std::string PlainMessage(const Diagnosis& diagnosis) {
  return Advice(diagnosis, SarifText, [](std::string_view run) {
    return FindPlaceholder(run, 0) == run.npos && !absl::StrContains(Absl(run), "](");
  });
}

std::string MarkdownMessage(const Diagnosis& diagnosis) {
  return Advice(diagnosis, SarifMarkdown,
                [](std::string_view run) { return FindPlaceholder(run, 0) == run.npos; });
}

}  // namespace cudadoctor

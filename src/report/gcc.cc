#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/views.h"
#include "report/place.h"
#include "report/renderer.h"

namespace cudadoctor {
namespace {

// Problem lists show a line; a command that makes a message longer than this is left out, not cut.
constexpr size_t kMaxMessage = 200;

// `text` on one line: control characters and the line ends of Unicode (C0, DEL, C1, U+2028, U+2029)
// become blanks.
std::string OneLine(std::string_view text) {
  std::string line;
  for (size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    if (rest[0] == '\xC2' && rest.size() > 1 && (rest[1] & 0xE0) == 0x80) {
      line.push_back(' ');
      i += 1;
    } else if (rest.starts_with("\xE2\x80\xA8") || rest.starts_with("\xE2\x80\xA9")) {
      line.push_back(' ');
      i += 2;
    } else {
      line.push_back(absl::ascii_iscntrl(static_cast<unsigned char>(rest[0])) ? ' ' : rest[0]);
    }
  }
  return line;
}

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
SourceLocation Place(const Report& report, const Diagnosis& diagnosis, std::string_view folder) {
  std::optional<SourceLocation> source = SourceInTree(diagnosis, folder);
  if (source.has_value() && source->line > 0 &&
      source->file.find_first_of(":\"") == std::string::npos &&
      OneLine(source->file) == source->file)
    return *std::move(source);
  SourceLocation place = PlaceInLog(report, diagnosis);
  place.file = OneLine(place.file);
  return place;
}

std::string Line(const Report& report, const Diagnosis& diagnosis, std::string_view folder) {
  const SourceLocation place = Place(report, diagnosis, folder);
  std::string message = Prose(diagnosis.title);
  if (!diagnosis.remedies.empty()) {
    constexpr std::string_view kBefore = "; fix: ";
    const size_t used = message.size() + kBefore.size();
    absl::StrAppend(&message, Absl(kBefore),
                    Fix(diagnosis.remedies.front(), kMaxMessage - std::min(kMaxMessage, used)));
  }
  return absl::StrCat(place.file, ":", place.line, ":", std::max(place.column, 1), ": ",
                      diagnosis.role == Role::kRoot ? "error" : "warning", ": ", message, " [",
                      diagnosis.cause, "]\n");
}

}  // namespace

std::string RenderGcc(std::span<const Report> reports, const RenderOptions& options) {
  std::string text;
  for (const Report& report : reports) {
    for (const Diagnosis& diagnosis : report.diagnoses)
      text += Line(report, diagnosis, options.folder);
  }
  return text;
}

}  // namespace cudadoctor

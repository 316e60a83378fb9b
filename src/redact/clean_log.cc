#include "redact/clean_log.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "base/views.h"
#include "redact/credentials.h"

namespace cudadoctor {
namespace {

// Raw lines that one word may be wrapped over.
constexpr int kMaxWrapped = 5;

std::string_view LineAt(std::string_view log, size_t begin) {
  return log.substr(begin, log.find('\n', begin) - begin);
}

// The start of the line before the one at `begin`, which is not the first.
size_t PreviousLine(std::string_view log, size_t begin) {
  const size_t newline = begin < 2 ? std::string_view::npos : log.rfind('\n', begin - 2);
  return newline == std::string_view::npos ? 0 : newline + 1;
}

// Whether `text` is the middle of a word that was wrapped over several lines.
bool IsMiddle(std::string_view text) {
  constexpr size_t kNarrowest = 40;
  return text.size() >= kNarrowest && text.find(' ') == std::string_view::npos &&
         text.find("://") == std::string_view::npos;
}

// What stands before the line at `begin` and may announce or begin a credential in it: a line, with
// those before it as long as they are single words.
std::string TextBefore(std::string_view log, size_t begin) {
  std::string before;
  for (int i = 0; i < kMaxWrapped && begin > 0; ++i) {
    begin = PreviousLine(log, begin);
    const std::string_view raw = LineAt(log, begin);
    if (before.empty() && !OpensCredential(raw)) return "";
    const std::string text = Clean(raw).text;
    before.insert(0, text);
    if (!IsMiddle(text)) break;
  }
  return before;
}

std::string TextAfter(std::string_view log, size_t begin) {
  std::string after;
  for (int i = 0; i < kMaxWrapped && begin < log.size(); ++i) {
    const std::string_view raw = LineAt(log, begin);
    const std::string text = Clean(raw).text;
    after += text;
    if (!IsMiddle(text)) break;
    begin += raw.size() + 1;
  }
  return after;
}

}  // namespace

LineCredentials CredentialsOfLine(std::string_view log, size_t begin) {
  const std::string_view raw = LineAt(log, begin);
  LineCredentials found{Clean(raw), {}};
  const std::string& text = found.line.text;
  if (text.empty()) return found;
  const std::string before = begin == 0 ? "" : TextBefore(log, begin);
  const std::string after = OpensCredential(text) ? TextAfter(log, begin + raw.size() + 1) : "";
  found.spans = FindCredentials(text, before, after);
  return found;
}

CleanLine CleanWithoutCredentials(std::string_view log, size_t begin) {
  LineCredentials found = CredentialsOfLine(log, begin);
  if (!found.spans.empty()) found.line.text = Mask(found.line.text, found.spans);
  Cut(found.line);
  return std::move(found.line);
}

}  // namespace cudadoctor

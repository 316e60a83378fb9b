#include "rules/pattern_text.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "base/views.h"

namespace cudadoctor {
namespace {

bool IsBlank(char c) { return absl::ascii_isspace(static_cast<unsigned char>(c)); }

// The end of the character class that begins at `start`; the end of `text` when it is not closed.
size_t EndOfClass(std::string_view text, size_t start) {
  size_t i = start + 1;
  if (i < text.size() && text[i] == '^') ++i;
  if (i < text.size() && text[i] == ']') ++i;
  while (i < text.size() && text[i] != ']') {
    if (text[i] == '\\') {
      i += 2;
    } else if (text.substr(i, 2) == "[:") {
      const size_t end = text.find(":]", i);
      i = end == std::string_view::npos ? i + 1 : end + 2;
    } else {
      ++i;
    }
  }
  return std::min(i + 1, text.size());
}

class Expander {
 public:
  explicit Expander(const Fragments& fragments) : fragments_(fragments) {}

  absl::Status Append(std::string_view text) {
    if (text.find('\n') != std::string_view::npos)
      text = Std(absl::StripAsciiWhitespace(Absl(text)));
    for (size_t i = 0; i < text.size();) {
      size_t end = i + 1;
      if (text[i] == '\\') {
        end = std::min(i + 2, text.size());
        expanded_.append(text.substr(i, end - i));
      } else if (text[i] == '[') {
        end = EndOfClass(text, i);
        expanded_.append(text.substr(i, end - i));
      } else if (IsBlank(text[i])) {
        while (end < text.size() && IsBlank(text[end])) ++end;
        end = AppendBlanks(text, end);
      } else if (text.substr(i, 2) == "{{") {
        end = text.find("}}", i);
        if (end == std::string_view::npos)
          return absl::InvalidArgumentError("\"{{\" has no \"}}\" behind it");
        RETURN_IF_ERROR(AppendFragment(std::string(text.substr(i + 2, end - i - 2))));
        end += 2;
      } else {
        expanded_.push_back(text[i]);
      }
      i = end;
    }
    return absl::OkStatus();
  }

  std::string Take() { return std::move(expanded_); }

 private:
  // Of blanks before `end`; returns the end of what belongs to them.
  size_t AppendBlanks(std::string_view text, size_t end) {
    const char next = end < text.size() ? text[end] : 0;
    absl::StrAppend(&expanded_, next == '?' || next == '*' ? "\\s*" : "\\s+");
    return next == '?' || next == '*' || next == '+' ? end + 1 : end;
  }

  absl::Status AppendFragment(const std::string& name) {
    const auto found = fragments_.find(name);
    if (found == fragments_.end()) {
      return absl::InvalidArgumentError(
          absl::StrCat("there is no fragment \"", name, "\"; rules/fragments.toml defines them"));
    }
    const bool is_open = std::find(open_.begin(), open_.end(), name) != open_.end();
    open_.push_back(name);
    if (is_open) {
      return absl::InvalidArgumentError(
          absl::StrCat("a fragment holds itself: ", absl::StrJoin(open_, ", ")));
    }
    RETURN_IF_ERROR(Append(found->second));
    open_.pop_back();
    return absl::OkStatus();
  }

  const Fragments& fragments_;
  std::vector<std::string> open_;
  std::string expanded_;
};

}  // namespace

absl::StatusOr<std::string> ExpandPattern(std::string_view text, const Fragments& fragments) {
  Expander expander(fragments);
  RETURN_IF_ERROR(expander.Append(text));
  return expander.Take();
}

}  // namespace cudadoctor

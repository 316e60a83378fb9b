#include "model/assignments.h"

#include <algorithm>

#include "absl/strings/ascii.h"

namespace cudadoctor {

bool IsVariableName(std::string_view text) {
  if (text.empty() || absl::ascii_isdigit(static_cast<unsigned char>(text.front()))) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_';
  });
}

size_t AssignmentsEnd(std::string_view command) {
  size_t start = 0;
  while (start < command.size()) {
    const size_t equals = command.find('=', start);
    if (equals == std::string_view::npos || !IsVariableName(command.substr(start, equals - start)))
      break;
    size_t end = equals;
    for (char quote = 0; end < command.size() && (quote != 0 || command[end] != ' '); ++end) {
      if (command[end] == quote) {
        quote = 0;
      } else if (quote == 0 && (command[end] == '\'' || command[end] == '"')) {
        quote = command[end];
      }
    }
    start = command.find_first_not_of(' ', end);
    if (start == std::string_view::npos) return 0;
  }
  return start;
}

}  // namespace cudadoctor

// report/commands.h: the commands that an agent finds in the log of a job, for tests.
#ifndef CUDADOCTOR_TESTS_REPORT_COMMANDS_H_
#define CUDADOCTOR_TESTS_REPORT_COMMANDS_H_

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cudadoctor {

struct Command {
  std::string name;
  std::map<std::string, std::string> properties;
  std::string data;
};

// Replacements in the order in which an agent does them.
using Unescaping = std::vector<std::pair<std::string, std::string>>;

inline std::string Unescape(std::string text, const Unescaping& rows) {
  for (const auto& [from, to] : rows) {
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
  }
  return text;
}

// A command of `info`, "name key=value,key=value" with `separator` for the comma.
inline Command ParseCommand(std::string_view info, char separator, const Unescaping& rows) {
  Command command;
  const size_t space = std::min(info.find(' '), info.size());
  command.name = info.substr(0, space);
  info.remove_prefix(std::min(space + 1, info.size()));
  while (!info.empty()) {
    const size_t end = std::min(info.find(separator), info.size());
    const std::string_view pair = info.substr(0, end);
    const size_t equals = pair.find('=');
    command.properties[std::string(pair.substr(0, equals))] =
        Unescape(std::string(pair.substr(equals + 1)), rows);
    info.remove_prefix(std::min(end + 1, info.size()));
  }
  return command;
}

inline std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t start = 0, end = 0; start < text.size(); start = end + 1) {
    end = std::min(text.find('\n', start), text.size());
    lines.push_back(text.substr(start, end - start));
  }
  return lines;
}

}  // namespace cudadoctor

#endif  // CUDADOCTOR_TESTS_REPORT_COMMANDS_H_

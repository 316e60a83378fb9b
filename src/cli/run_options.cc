#include "cli/run_options.h"

#include <iterator>

namespace cudadoctor {

std::vector<std::string> TakeCommand(const std::function<bool(std::string_view)>& takes_value,
                                     std::vector<std::string>& arguments) {
  bool is_run = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    const bool is_end_of_options = argument == "--";
    if (argument.size() > 1 && argument.front() == '-' && !is_end_of_options) {
      if (argument.find('=') == std::string::npos && takes_value(argument)) ++i;
      continue;
    }
    if (!is_run) {
      if (argument != "run") return {};
      is_run = true;
      continue;
    }
    const auto begin = arguments.begin() + static_cast<ptrdiff_t>(i);
    std::vector<std::string> command(std::next(begin, is_end_of_options ? 1 : 0), arguments.end());
    arguments.erase(begin, arguments.end());
    return command;
  }
  return {};
}

}  // namespace cudadoctor

#include "host/machine.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/views.h"

namespace cudadoctor {
namespace {

constexpr std::chrono::milliseconds kAskLimit{1000};

bool IsDigit(char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); }

}  // namespace

std::string Machine::PathFrom(const std::string& name) const {
  std::string path = Environment(name);
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path.starts_with('/') ? path : "";
}

std::string Machine::FindProgram(std::string_view program) const {
  if (program.empty()) return "";
  if (program.find('/') != std::string_view::npos)
    return program.front() == '/' && files.IsProgram(program) ? std::string(program) : "";
  const std::string path = Environment("PATH");
  for (const absl::string_view folder : absl::StrSplit(path, ':', absl::SkipEmpty())) {
    std::string candidate = JoinPath(Std(folder), program);
    if (folder.front() != '/' || !files.IsProgram(candidate)) continue;
    if (NameOf(files.Resolve(candidate)).starts_with("ccache")) continue;
    return candidate;
  }
  return "";
}

std::string Machine::Ask(const std::vector<std::string>& arguments) const {
  const ProgramResult result = sources.run(arguments, kAskLimit);
  return result.end == ProgramResult::End::kExited && result.status == 0 ? result.output : "";
}

std::string Machine::Home() const { return PathFrom("HOME"); }

void HostFacts::Add(std::string_view name, ValueType type, std::string_view value,
                    std::string_view at) {
  std::optional<std::string> normal = Normalize(type, value);
  if (!normal.has_value()) return;
  facts_.push_back({std::string(name), type, *std::move(normal), Origin::kHost, 0, 0,
                    Normalize(ValueType::kText, at).value_or("")});
}

void HostFacts::AddBytes(std::string_view name, int64_t bytes, std::string_view at) {
  Add(name, ValueType::kSize, absl::StrCat(bytes), at);
}

std::string VersionIn(std::string_view text, size_t from) {
  while (from < text.size() && !IsDigit(text[from])) ++from;
  size_t end = from;
  while (end < text.size() && (IsDigit(text[end]) || text[end] == '.')) ++end;
  while (end > from && text[end - 1] == '.') --end;
  return std::string(text.substr(std::min(from, text.size()), end - from));
}

std::string MajorMinor(std::string_view version) {
  const size_t first = version.find('.');
  if (first == std::string_view::npos) return std::string(version);
  return std::string(version.substr(0, version.find('.', first + 1)));
}

}  // namespace cudadoctor

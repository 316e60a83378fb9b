#include "run/ninja_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace cudadoctor {
namespace {

namespace fs = std::filesystem;

// PyTorch's own build.ninja has 10 MB.
constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{128} << 20;
constexpr int kMaxIncludes = 64;
// Clocks of file systems and of the machine differ, those of network file systems by seconds.
constexpr int64_t kClockSlack = 2;
constexpr int64_t kNanoseconds = 1'000'000'000;

bool IsObject(const std::string& name) {
  return absl::EndsWith(name, ".o") || absl::EndsWith(name, ".obj");
}

// One build statement: what it makes and what that needs.
struct Edge {
  std::vector<std::string> outputs;
  std::vector<std::string> inputs;
};

// As ninja's manual has it under "Lexical syntax": '$' before a blank, ':', '$' or a line end.
class BuildFile {
 public:
  explicit BuildFile(std::string folder) : folder_(std::move(folder)) {}

  bool Read(const std::string& name) {
    if (++includes_ > kMaxIncludes) return false;
    const fs::path path = fs::path(folder_) / name;
    std::error_code error;
    const std::uintmax_t size = fs::file_size(path, error);
    if (error || size > kMaxFileBytes) return false;
    std::ifstream file(path, std::ios::binary);
    std::string line, next;
    while (std::getline(file, line)) {
      while (absl::EndsWith(line, "$") && !absl::EndsWith(line, "$$") && std::getline(file, next))
        line.replace(line.size() - 1, 1, next);
      TakeLine(line);
    }
    return true;
  }

  std::set<std::string> ObjectsOf(const std::vector<std::string>& targets) const {
    std::vector<std::string> open = targets.empty() ? defaults_ : targets;
    std::set<std::string> objects;
    std::vector<bool> is_seen(edges_.size());
    const auto visit = [&](const Edge& edge) {
      // CMake names an object twice, the second time by its full path.
      if (!edge.outputs.empty() && IsObject(edge.outputs.front()))
        objects.insert(edge.outputs.front());
      open.insert(open.end(), edge.inputs.begin(), edge.inputs.end());
    };
    if (open.empty()) {
      for (const Edge& edge : edges_) visit(edge);
      return objects;
    }
    while (!open.empty()) {
      const auto found = makers_.find(open.back());
      open.pop_back();
      if (found == makers_.end() || is_seen[found->second]) continue;
      is_seen[found->second] = true;
      visit(edges_[found->second]);
    }
    return objects;
  }

 private:
  // Words up to the end, without the bars between kinds of outputs and inputs; `colon` is how many
  // words stand before the first ':'.
  static std::vector<std::string> Words(std::string_view text, size_t* colon) {
    std::vector<std::string> words;
    std::string word;
    const auto end_word = [&] {
      if (!word.empty() && word != "|" && word != "||" && word != "|@") words.push_back(word);
      word.clear();
    };
    bool has_colon = false;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '$' && i + 1 < text.size() &&
          (text[i + 1] == ' ' || text[i + 1] == ':' || text[i + 1] == '$')) {
        word.push_back(text[++i]);
      } else if (text[i] == ' ' || text[i] == '\r') {
        end_word();
      } else if (text[i] == ':' && !has_colon) {
        end_word();
        has_colon = true;
        *colon = words.size();
      } else {
        word.push_back(text[i]);
      }
    }
    end_word();
    if (!has_colon) *colon = words.size();
    return words;
  }

  void TakeLine(const std::string& line) {
    size_t colon = 0;
    if (absl::StartsWith(line, "build ")) {
      const std::vector<std::string> words = Words(std::string_view(line).substr(6), &colon);
      if (colon >= words.size()) return;
      Edge edge;
      edge.outputs.assign(words.begin(), words.begin() + static_cast<ptrdiff_t>(colon));
      // The word after the colon is the rule's name.
      edge.inputs.assign(words.begin() + static_cast<ptrdiff_t>(colon) + 1, words.end());
      for (const std::string& output : edge.outputs) makers_.emplace(output, edges_.size());
      edges_.push_back(std::move(edge));
    } else if (absl::StartsWith(line, "default ")) {
      const std::vector<std::string> words = Words(std::string_view(line).substr(8), &colon);
      defaults_.insert(defaults_.end(), words.begin(), words.end());
    } else if (absl::StartsWith(line, "include ") || absl::StartsWith(line, "subninja ")) {
      const std::vector<std::string> words =
          Words(std::string_view(line).substr(line.find(' ') + 1), &colon);
      if (words.size() == 1) Read(words[0]);
    }
  }

  const std::string folder_;
  std::vector<Edge> edges_;
  std::map<std::string, size_t> makers_;  // output to edge
  std::vector<std::string> defaults_;
  int includes_ = 0;
};

}  // namespace

NinjaCall ParseNinjaCall(const std::vector<std::string>& arguments) {
  NinjaCall call;
  // Those of "ninja --help" that take a value.
  constexpr std::string_view kWithValue = "Cfjkltdw";
  for (size_t i = 1; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument.empty()) continue;
    if (argument[0] != '-') {
      call.targets.push_back(argument);
    } else if (argument.size() >= 2 && kWithValue.find(argument[1]) != std::string_view::npos) {
      const bool is_joined = argument.size() > 2;
      const std::string value = is_joined                  ? argument.substr(2)
                                : i + 1 < arguments.size() ? arguments[i + 1]
                                                           : "";
      if (!is_joined) ++i;
      if (argument[1] == 'f') call.file = value;
    }
  }
  return call;
}

std::set<std::string> NinjaObjects(const std::string& folder, const NinjaCall& call) {
  BuildFile file(folder);
  if (!file.Read(call.file)) return {};
  return file.ObjectsOf(call.targets);
}

NinjaProgress::NinjaProgress(std::string folder, const NinjaCall& call, int64_t started)
    : folder_(std::move(folder)), started_(started), objects_(NinjaObjects(folder_, call)) {}

void NinjaProgress::Update() {
  if (objects_.empty()) return;
  const std::string path = folder_ + "/.ninja_log";
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  if (error) return;
  // Ninja writes its log anew when it has grown too much.
  if (static_cast<int64_t>(size) < offset_) offset_ = 0;
  std::ifstream file(path, std::ios::binary);
  file.seekg(offset_);
  std::string line;
  // A line without its end is still being written.
  while (std::getline(file, line) && !file.eof()) {
    offset_ += static_cast<int64_t>(line.size()) + 1;
    TakeLine(line);
  }
}

// "start\tend\tmtime\toutput\thash"; mtime is in nanoseconds since ninja 1.9 (log version 5), of
// the output or, later, of the command's start.
void NinjaProgress::TakeLine(const std::string& line) {
  const std::vector<std::string> fields = absl::StrSplit(line, '\t');
  int64_t time = 0;
  if (fields.size() != 5 || !absl::SimpleAtoi(fields[2], &time)) return;
  if (!objects_.contains(fields[3])) return;
  if (time / kNanoseconds >= started_ - kClockSlack) {
    built_.insert(fields[3]);
    earlier_.erase(fields[3]);
  } else if (!built_.contains(fields[3])) {
    earlier_.insert(fields[3]);
  }
}

}  // namespace cudadoctor

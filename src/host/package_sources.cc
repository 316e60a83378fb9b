#include "host/package_sources.h"

#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/views.h"

namespace cudadoctor {
namespace {

std::string_view UpTo(absl::string_view text, absl::string_view ends) {
  return Std(text.substr(0, text.find_first_of(ends)));
}

bool IsOff(absl::string_view line) {
  const std::string setting =
      absl::AsciiStrToLower(absl::StrJoin(absl::StrSplit(line, ' ', absl::SkipEmpty()), ""));
  return setting == "enabled:no" || setting == "enabled=0";
}

// The paragraphs of `text` that are switched on, without comments: apt's deb822 separates them by
// empty lines, yum and zypper by [names]. Of apt's one-line form everything is one.
std::vector<std::string> Paragraphs(const std::string& text) {
  std::vector<std::string> paragraphs = {""};
  std::vector<bool> is_off = {false};
  for (const absl::string_view raw : absl::StrSplit(text, '\n')) {
    const absl::string_view line = absl::StripAsciiWhitespace(raw);
    if (absl::StartsWith(line, "#")) continue;
    if (line.empty() || line.front() == '[') {
      paragraphs.emplace_back();
      is_off.push_back(false);
    }
    if (IsOff(line)) is_off.back() = true;
    absl::StrAppend(&paragraphs.back(), line, "\n");
  }
  std::vector<std::string> on;
  for (size_t i = 0; i < paragraphs.size(); ++i) {
    if (!is_off[i]) on.push_back(paragraphs[i]);
  }
  return on;
}

// Whether `text` names the network repository; the facts are added then.
bool AddNetwork(absl::string_view text, const std::string& at, HostFacts& facts) {
  // The path of every one: developer.download.nvidia.com/compute/cuda/repos/<system>/<machine>/
  const absl::string_view path = "/compute/cuda/repos/";
  const size_t found = text.find(path);
  if (found == absl::string_view::npos) return false;
  const absl::string_view rest = text.substr(found + path.size());
  const std::string_view system = UpTo(rest, "/ \n");
  facts.Add("cuda_repo", ValueType::kWord, system, at);
  if (system.size() < rest.size() && rest[system.size()] == '/')
    facts.Add("cuda_repo_arch", ValueType::kWord, UpTo(rest.substr(system.size() + 1), "/ \n"), at);
  return true;
}

// file:///var/cuda-repo-ubuntu2204-12-8-local
bool AddLocal(absl::string_view text, const std::string& at, HostFacts& facts) {
  const absl::string_view path = "/var/cuda-repo-";
  const size_t found = text.find(path);
  if (found == absl::string_view::npos) return false;
  facts.Add("cuda_local_repo", ValueType::kWord, UpTo(text.substr(found + path.size()), "/ \n"),
            at);
  return true;
}

}  // namespace

void AddPackageSources(const Machine& machine, HostFacts& facts) {
  std::vector<std::string> paths = {"/etc/apt/sources.list"};
  for (const char* folder : {"/etc/apt/sources.list.d", "/etc/yum.repos.d", "/etc/zypp/repos.d"}) {
    for (const std::string& name : machine.files.List(folder)) {
      if (absl::EndsWith(name, ".list") || absl::EndsWith(name, ".sources") ||
          absl::EndsWith(name, ".repo"))
        paths.push_back(JoinPath(folder, name));
    }
  }
  bool has_network = false, has_local = false;
  for (const std::string& path : paths) {
    for (const std::string& paragraph : Paragraphs(machine.files.Read(path))) {
      if (!has_network) has_network = AddNetwork(paragraph, path, facts);
      if (!has_local) has_local = AddLocal(paragraph, path, facts);
    }
  }
  if (!has_network && !has_local && machine.files.IsFolder("/etc/apt"))
    facts.AddFlag("no_cuda_repo", "/etc/apt");
}

}  // namespace cudadoctor

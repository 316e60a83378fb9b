// Writes the rules of a folder in the form that the build embeds: embed_rules RULES_DIR OUTPUT
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "rules/rule_set.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: embed_rules RULES_DIR OUTPUT\n";
    return 2;
  }
  const std::filesystem::path root(argv[1]);
  std::vector<cudadoctor::SourceFile> sources;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    const std::string origin = std::filesystem::relative(entry.path(), root).generic_string();
    if (entry.path().extension() != ".toml") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    sources.push_back({origin, std::string(std::istreambuf_iterator<char>(file), {})});
  }
  const auto by_origin = [](const auto& a, const auto& b) { return a.origin < b.origin; };
  std::sort(sources.begin(), sources.end(), by_origin);
  bool is_valid = true;
  const auto is_fragments = [](const auto& source) { return source.origin == "fragments.toml"; };
  const auto fragments = std::find_if(sources.begin(), sources.end(), is_fragments);
  for (const cudadoctor::SourceFile& source : sources) {
    std::vector<cudadoctor::SourceFile> alone = {source};
    if (fragments != sources.end()) alone.push_back(*fragments);
    const absl::Status status = cudadoctor::RuleSet::FromSources(alone).status();
    if (!status.ok()) std::cerr << "rules/" << status.message() << "\n";
    is_valid = is_valid && status.ok();
  }
  if (!is_valid) return 1;
  const auto rules = cudadoctor::RuleSet::FromSources(sources);
  std::ofstream output(argv[2], std::ios::binary);
  output << (*rules)->Serialize();
  return output.flush().good() ? 0 : 1;
}

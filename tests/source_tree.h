// source_tree.h: files of the source tree, for tests that read them.
#ifndef CUDADOCTOR_TESTS_SOURCE_TREE_H_
#define CUDADOCTOR_TESTS_SOURCE_TREE_H_

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "rules/rule_set.h"

namespace cudadoctor {

inline std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

inline std::filesystem::path SourceTree() { return CUDADOCTOR_SOURCE_DIR; }

// The TOML files below `folder`, by name.
inline std::vector<SourceFile> RuleFiles(const std::filesystem::path& folder) {
  std::vector<SourceFile> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string origin = entry.path().lexically_relative(folder).generic_string();
    if (entry.path().extension() == ".toml") files.push_back({origin, ReadFile(entry.path())});
  }
  std::sort(files.begin(), files.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.origin < b.origin; });
  return files;
}

}  // namespace cudadoctor

#endif  // CUDADOCTOR_TESTS_SOURCE_TREE_H_

// Counts the lines of a log that hold a word of a pattern which is not `nearby`: each costs a
// closer look. A healthy log should have next to none.  word_hits LOG
#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "match/atoms.h"
#include "rules/rule_set.h"

int main(int argc, char** argv) {
  const auto rules = cudadoctor::RuleSet::Create();
  if (argc != 2 || !rules.ok()) {
    std::cerr << "usage: word_hits LOG\n";
    return 2;
  }
  std::vector<std::string> words;
  std::map<std::string, std::string> owners;
  for (size_t p = 0; p < (*rules)->patterns().size(); ++p) {
    const cudadoctor::Pattern& pattern = (*rules)->patterns()[p];
    if (pattern.is_nearby) continue;
    for (const auto& atoms : pattern.atoms) {
      for (const std::string& atom : atoms.any) {
        words.push_back(atom);
        std::string& owner = owners[atom];
        if (owner.size() < 200)
          owner += " " + (*rules)->files()[(*rules)->owners()[p].file].id + ":" + pattern.name;
      }
    }
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  const cudadoctor::AtomScanner scanner(words);
  std::map<int, int> hits;
  std::vector<int> found;
  std::ifstream log(argv[1]);
  int lines = 0;
  for (std::string line; std::getline(log, line); ++lines) {
    scanner.FindAll(line, found);
    for (const int atom : found) ++hits[atom];
  }
  std::vector<std::pair<int, int>> sorted;
  for (const auto& [atom, count] : hits) sorted.emplace_back(count, atom);
  std::sort(sorted.rbegin(), sorted.rend());
  std::cout << lines << " lines\n";
  for (const auto& [count, atom] : sorted)
    std::cout << count << "\t" << words[atom] << "\t" << owners[words[atom]] << "\n";
}

#include "match/atoms.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "match/healthy_lines.h"
#include "re2/filtered_re2.h"
#include "re2/re2.h"

namespace cudadoctor {
namespace {

constexpr uint32_t kFold = 0x20202020;
constexpr size_t kGramBytes = 4;

uint32_t LoadGram(const char* at) {
  uint32_t gram;
  std::memcpy(&gram, at, sizeof(gram));
  return gram | kFold;
}

// Whether each gram stands in healthy lines, by hash.
class HealthyGrams {
 public:
  HealthyGrams() : bits_(size_t{1} << kBits) {
    for (const std::string_view line : kHealthyLines) {
      for (size_t i = 0; i + kGramBytes <= line.size(); ++i)
        bits_[Index(LoadGram(line.data() + i))] = true;
    }
  }
  bool Has(uint32_t gram) const { return bits_[Index(gram)]; }

 private:
  static constexpr int kBits = 16;
  static size_t Index(uint32_t gram) { return gram * 0x85EBCA6Bu >> (32 - kBits); }
  std::vector<bool> bits_;
};

bool IsFrequent(std::string_view word) {
  return std::any_of(kHealthyLines.begin(), kHealthyLines.end(), [word](std::string_view line) {
    return line.find(word) != std::string_view::npos;
  });
}

// The word of a literal that is best searched for, or an empty string: the longest that is not
// frequent. RE2 gives literals in lower case; the first letter of a word in another alphabet may be
// a capital in the text, so it is left out.
std::string BestWord(const std::string& literal, bool may_be_frequent) {
  std::string best;
  std::string best_frequent;
  for (const absl::string_view part : absl::StrSplit(literal, ' ', absl::SkipEmpty())) {
    std::string_view word(part.data(), part.size());
    const auto first = static_cast<unsigned char>(word.front());
    if (first >= 0xC2 && first <= 0xDF) word.remove_prefix(std::min<size_t>(2, word.size()));
    std::string& longest = IsFrequent(word) ? best_frequent : best;
    if (word.size() >= kMinAtomBytes && word.size() > longest.size()) longest = std::string(word);
  }
  if (!best.empty()) return best;
  if (may_be_frequent && !best_frequent.empty()) return best_frequent;
  // Blanks are where wrapping breaks a line, so words without them are better, but ": *** [" is
  // found by these alone.
  std::string_view whole = literal;
  while (!whole.empty() && static_cast<unsigned char>(whole.front()) >= 0x80)
    whole.remove_prefix(1);
  return whole.size() >= kMinAtomBytes && (may_be_frequent || !IsFrequent(whole))
             ? std::string(whole)
             : "";
}

// The words of a literal that can be compared with a line in lower case.
void AddWords(const std::string& literal, std::vector<std::string>& words) {
  constexpr size_t kShortest = 3;
  for (const absl::string_view word : absl::StrSplit(literal, ' ', absl::SkipEmpty())) {
    const bool is_ascii = std::all_of(word.begin(), word.end(),
                                      [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    if (word.size() >= kShortest && is_ascii) words.emplace_back(word);
  }
}

}  // namespace

absl::StatusOr<Atoms> ExtractAtoms(const std::string& regex, bool may_be_frequent) {
  RE2::Options options;
  options.set_log_errors(false);
  const RE2 valid(regex, options);
  if (!valid.ok()) return absl::InvalidArgumentError(valid.error());

  // One blank stands for any white space: literals are split at blanks below, and where a sentence
  // has no long word it is searched for as it is mostly printed.
  const std::string with_blanks = absl::StrReplaceAll(regex, {{"\\s+", " "}});
  re2::FilteredRE2 filter(static_cast<int>(kMinAtomBytes) - 1);
  int id = 0;
  if (filter.Add(with_blanks, options, &id) != RE2::NoError)
    return absl::InternalError(absl::StrCat("no filter for ", regex));
  std::vector<std::string> literals;
  filter.Compile(&literals);

  const auto may_match = [&](const std::vector<int>& present) {
    std::vector<int> passed;
    filter.AllPotentials(present, &passed);
    return !passed.empty();
  };
  // `given` are the literals that need not be searched for: the expression must not match with
  // these alone. Starting from those without a word, as many as possible are added, the worst
  // first.
  std::vector<int> given;
  std::vector<std::pair<std::string, int>> words;
  for (size_t i = 0; i < literals.size(); ++i) {
    std::string word = BestWord(literals[i], may_be_frequent);
    if (word.empty()) {
      given.push_back(static_cast<int>(i));
    } else {
      words.emplace_back(std::move(word), static_cast<int>(i));
    }
  }
  Atoms atoms;
  if (literals.empty()) return atoms;
  for (size_t i = 0; i < literals.size(); ++i) {
    std::vector<int> others;
    for (size_t k = 0; k < literals.size(); ++k) {
      if (k != i) others.push_back(static_cast<int>(k));
    }
    if (!may_match(others)) AddWords(literals[i], atoms.all);
  }
  if (may_match(given)) return atoms;
  const auto is_worse = [](const auto& a, const auto& b) {
    const bool frequent = IsFrequent(a.first);
    return frequent != IsFrequent(b.first) ? frequent : a.first.size() < b.first.size();
  };
  std::stable_sort(words.begin(), words.end(), is_worse);
  for (auto& [word, literal] : words) {
    given.push_back(literal);
    std::vector<int> sorted = given;
    std::sort(sorted.begin(), sorted.end());
    if (!may_match(sorted)) continue;
    given.pop_back();
    atoms.any.push_back(std::move(word));
  }
  std::sort(atoms.any.begin(), atoms.any.end());
  atoms.any.erase(std::unique(atoms.any.begin(), atoms.any.end()), atoms.any.end());
  return atoms;
}

AtomScanner::AtomScanner(std::vector<std::string> atoms) : atoms_(std::move(atoms)) {
  const HealthyGrams healthy;
  for (size_t i = 0; i < atoms_.size(); ++i) {
    std::string& atom = atoms_[i];
    for (char& c : atom) c = static_cast<char>(c | 0x20);
    if (atom.size() < kMinAtomBytes) continue;
    // The two neighbouring grams that are met least.
    size_t best = 0;
    int best_cost = 3;
    for (size_t start = 0; start + kMinAtomBytes <= atom.size() && best_cost > 0; ++start) {
      const int cost = healthy.Has(LoadGram(atom.data() + start)) +
                       healthy.Has(LoadGram(atom.data() + start + 1));
      if (cost >= best_cost) continue;
      best_cost = cost;
      best = start;
    }
    for (size_t offset = best; offset < best + 2; ++offset) {
      entries_.push_back({LoadGram(atom.data() + offset), static_cast<uint32_t>(i),
                          static_cast<uint32_t>(offset)});
    }
  }
  const auto by_bucket = [](const Entry& a, const Entry& b) {
    return Bucket(Hash(a.gram)) < Bucket(Hash(b.gram));
  };
  std::stable_sort(entries_.begin(), entries_.end(), by_bucket);
  buckets_.assign((size_t{1} << kBucketBits) + 1, 0);
  bits_.assign((size_t{1} << kHashBits) / 64, 0);
  for (const Entry& entry : entries_) {
    const uint32_t hash = Hash(entry.gram);
    ++buckets_[Bucket(hash) + 1];
    bits_[hash / 64] |= uint64_t{1} << hash % 64;
  }
  for (size_t i = 1; i < buckets_.size(); ++i) buckets_[i] += buckets_[i - 1];
}

bool AtomScanner::IsAt(std::string_view text, size_t position, const Entry& entry) const {
  const std::string& atom = atoms_[entry.atom];
  if (position < entry.offset || position - entry.offset + atom.size() > text.size()) return false;
  const char* start = text.data() + position - entry.offset;
  for (size_t i = 0; i < atom.size(); ++i) {
    if ((start[i] | 0x20) != atom[i]) return false;
  }
  return true;
}

// Calls visit(position, entry) for each gram of an atom in `text` that is part of it; stops when
// visit returns true.
template <typename Visit>
void AtomScanner::Scan(std::string_view text, size_t from, Visit visit) const {
  if (text.size() < kGramBytes) return;
  const char* const data = text.data();
  const size_t end = text.size() - kGramBytes + 1;
  const uint64_t* const bits = bits_.data();
  for (size_t i = from; i < end; i += 2) {
    const uint32_t gram = LoadGram(data + i);
    const uint32_t hash = Hash(gram);
    if ((bits[hash / 64] >> hash % 64 & 1) == 0) [[likely]]
      continue;
    const uint32_t bucket = Bucket(hash);
    for (uint32_t k = buckets_[bucket]; k < buckets_[bucket + 1]; ++k) {
      const Entry& entry = entries_[k];
      if (entry.gram == gram && IsAt(text, i, entry) && visit(i, entry)) return;
    }
  }
}

size_t AtomScanner::Find(std::string_view text, size_t from) const {
  size_t found = npos;
  Scan(text, from, [&](size_t position, const Entry&) {
    found = position;
    return true;
  });
  return found;
}

void AtomScanner::FindAll(std::string_view text, std::vector<int>& atoms) const {
  atoms.clear();
  Scan(text, 0, [&](size_t, const Entry& entry) {
    atoms.push_back(static_cast<int>(entry.atom));
    return false;
  });
  std::sort(atoms.begin(), atoms.end());
  atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
}

}  // namespace cudadoctor

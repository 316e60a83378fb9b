// match/atoms.h: the literal words of a regular expression, and a fast search for many words.
#ifndef CUDADOCTOR_MATCH_ATOMS_H_
#define CUDADOCTOR_MATCH_ATOMS_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace cudadoctor {

// A shorter word is not searched for. Words hold no blanks, so they survive wrapping, and colour
// codes stand around words, not in them.
inline constexpr size_t kMinAtomBytes = 5;

// The words by which the matches of an expression are found, in lower case.
struct Atoms {
  // At least one of them occurs, in any letter case, in every text that the expression matches;
  // empty when there are no such words.
  std::vector<std::string> any;
  // Each of them occurs in every such text: tested before the expression itself.
  std::vector<std::string> all;
};

// The atoms of `regex`. Words that healthy logs are full of are in Atoms::any only with
// `may_be_frequent`. Takes about a second for a thousand expressions: the build does it for the
// embedded rules.
// Errors: kInvalidArgument, `regex` is not valid RE2 (text: RE2's reason).
absl::StatusOr<Atoms> ExtractAtoms(const std::string& regex, bool may_be_frequent);

// Searches text for any of many words at once, ignoring the case of ASCII letters. May report a
// word that is not there when it differs in punctuation only; never misses one. Immutable once
// built: threads may share it.
//
// Every second position of the text is hashed with the three after it and looked up in a bit set;
// each word is entered at an even and an odd offset, so it is met whatever its position.
class AtomScanner {
 public:
  // An atom shorter than kMinAtomBytes is never found.
  explicit AtomScanner(std::vector<std::string> atoms);

  // Position in `text` near the first word at or after `from` (inside that word), or npos.
  size_t Find(std::string_view text, size_t from) const;

  // Indices of all atoms in `text`, sorted, each once.
  void FindAll(std::string_view text, std::vector<int>& atoms) const;

  static constexpr size_t npos = std::string_view::npos;

 private:
  struct Entry {
    uint32_t gram;
    uint32_t atom;
    uint32_t offset;  // of the gram in the atom
  };

  static constexpr int kHashBits =
      18;  // the bit set takes 32 KiB: it stays in the first-level cache
  static constexpr int kBucketBits = 13;
  static uint32_t Hash(uint32_t gram) { return gram * 0x9E3779B1u >> (32 - kHashBits); }

  static uint32_t Bucket(uint32_t hash) { return hash >> (kHashBits - kBucketBits); }

  bool IsAt(std::string_view text, size_t position, const Entry& entry) const;
  template <typename Visit>
  void Scan(std::string_view text, size_t from, Visit visit) const;

  std::vector<std::string> atoms_;  // folded
  std::vector<Entry> entries_;      // sorted by bucket
  std::vector<uint32_t> buckets_;   // first entry of each bucket, and the end
  std::vector<uint64_t> bits_;      // whether a hash has entries
};

}  // namespace cudadoctor

#endif  // CUDADOCTOR_MATCH_ATOMS_H_

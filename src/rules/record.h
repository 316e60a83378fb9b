// rules/record.h: the compact form in which rules are embedded: strings with their lengths,
// numbers.
#ifndef CUDADOCTOR_RULES_RECORD_H_
#define CUDADOCTOR_RULES_RECORD_H_

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace cudadoctor {

class RecordWriter {
 public:
  void Number(uint32_t number) {
    char bytes[sizeof(number)];
    std::memcpy(bytes, &number, sizeof(number));
    bytes_.append(bytes, sizeof(number));
  }
  void Text(std::string_view text) {
    Number(static_cast<uint32_t>(text.size()));
    bytes_.append(text);
  }
  std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Reads what a RecordWriter of the same program wrote. Past the end it gives zeros and empty texts,
// and is_complete() is false from then on.
class RecordReader {
 public:
  explicit RecordReader(std::string_view bytes) : bytes_(bytes) {}

  uint32_t Number() {
    uint32_t number = 0;
    if (bytes_.size() < sizeof(number)) {
      is_complete_ = false;
      return 0;
    }
    std::memcpy(&number, bytes_.data(), sizeof(number));
    bytes_.remove_prefix(sizeof(number));
    return number;
  }
  // A view of the bytes given to the constructor.
  std::string_view Text() {
    const uint32_t size = Number();
    is_complete_ = is_complete_ && size <= bytes_.size();
    const std::string_view text = bytes_.substr(0, is_complete_ ? size : 0);
    bytes_.remove_prefix(text.size());
    return text;
  }
  std::string String() { return std::string(Text()); }
  bool is_complete() const { return is_complete_; }

 private:
  std::string_view bytes_;
  bool is_complete_ = true;
};

}  // namespace cudadoctor

#endif  // CUDADOCTOR_RULES_RECORD_H_

#include "text/utf.h"

#include <iconv.h>

#include <array>
#include <cerrno>
#include <cstdint>

namespace cudadoctor {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Length of the well-formed character at the start of `text`, or 0. Stores its code point.
size_t CharacterLength(std::string_view text, uint32_t& code_point) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  size_t length = 0;
  uint32_t lowest = 0;
  if (first < 0x80) {
    code_point = first;
    return 1;
  }
  if (first >= 0xC2 && first <= 0xDF) {
    length = 2;
    lowest = 0x80;
    code_point = first & 0x1F;
  } else if (first >= 0xE0 && first <= 0xEF) {
    length = 3;
    lowest = 0x800;
    code_point = first & 0x0F;
  } else if (first >= 0xF0 && first <= 0xF4) {
    length = 4;
    lowest = 0x10000;
    code_point = first & 0x07;
  } else {
    return 0;
  }
  if (text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    code_point = code_point << 6 | (byte(i) & 0x3F);
  }
  const bool is_surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  if (code_point < lowest || code_point > 0x10FFFF || is_surrogate) return 0;
  return length;
}

// What a terminal or a browser shows as nothing, or obeys: soft hyphens, fillers, directions,
// separators of lines, annotations, selectors and tags.
bool IsInvisible(uint32_t code_point) {
  return code_point == 0x00AD || code_point == 0x061C || code_point == 0x115F ||
         code_point == 0x1160 || code_point == 0x180E || code_point == 0x3164 ||
         (code_point >= 0xFE00 && code_point <= 0xFE0F) || code_point == 0x2028 ||
         code_point == 0x2029 || (code_point >= 0xFFF9 && code_point <= 0xFFFB) ||
         (code_point >= 0xE0000 && code_point <= 0xE0FFF) ||
         (code_point >= 0x200B && code_point <= 0x200F) ||
         (code_point >= 0x202A && code_point <= 0x202E) ||
         (code_point >= 0x2060 && code_point <= 0x2069) || code_point == 0xFEFF ||
         (code_point >= 0x80 && code_point < 0xA0);
}

}  // namespace

StreamDecoder::~StreamDecoder() {
  if (conversion_ != nullptr) iconv_close(static_cast<iconv_t>(conversion_));
}

std::string_view StreamDecoder::Decode(std::string_view bytes) {
  if (state_ == State::kPlain) return bytes;
  if (state_ == State::kStart) {
    held_.append(bytes);
    if (held_.size() < 2) return {};
    const bool little = held_[0] == '\xFF' && held_[1] == '\xFE';
    const bool big = held_[0] == '\xFE' && held_[1] == '\xFF';
    if (!little && !big) {
      state_ = State::kPlain;
      output_.swap(held_);
      held_.clear();
      return output_;
    }
    conversion_ = iconv_open("UTF-8", little ? "UTF-16LE" : "UTF-16BE");
    state_ = State::kUtf16;
    const std::string rest = held_.substr(2);
    held_.clear();
    return Convert(rest);
  }
  return Convert(bytes);
}

std::string_view StreamDecoder::Flush() {
  output_.swap(held_);
  held_.clear();
  if (state_ == State::kUtf16 && !output_.empty()) output_ = kReplacement;
  return output_;
}

std::string_view StreamDecoder::Convert(std::string_view bytes) {
  held_.append(bytes);
  output_.clear();
  char* from = held_.data();
  size_t left = held_.size();
  std::array<char, 8192> chunk;
  while (left > 0) {
    char* to = chunk.data();
    size_t room = chunk.size();
    const size_t result = iconv(static_cast<iconv_t>(conversion_), &from, &left, &to, &room);
    const int error = result == static_cast<size_t>(-1) ? errno : 0;
    output_.append(chunk.data(), to - chunk.data());
    if (error == EINVAL) break;  // an incomplete character: wait for the rest
    if (error == EILSEQ) {
      output_.append(kReplacement);
      const size_t skip = left < 2 ? left : 2;
      from += skip;
      left -= skip;
    }
  }
  held_.erase(0, held_.size() - left);
  return output_;
}

void AppendValidUtf8(std::string_view text, std::string& output) {
  while (!text.empty()) {
    uint32_t code_point = 0;
    const size_t length = CharacterLength(text, code_point);
    if (length == 0) {
      output.append(kReplacement);
      text.remove_prefix(1);
      continue;
    }
    if (!IsInvisible(code_point)) output.append(text.substr(0, length));
    text.remove_prefix(length);
  }
}

}  // namespace cudadoctor

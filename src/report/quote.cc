#include "report/quote.h"

#include <unistr.h>
#include <uniwidth.h>

#include <algorithm>
#include <cstdint>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/views.h"

namespace cudadoctor {
namespace {

bool IsContinuation(char c) { return (c & 0xC0) == 0x80; }

constexpr char kEncoding[] = "UTF-8";

const uint8_t* Bytes(std::string_view text) {
  return reinterpret_cast<const uint8_t*>(text.data());
}

}  // namespace

size_t Columns(std::string_view text) {
  return static_cast<size_t>(u8_width(Bytes(text), text.size(), kEncoding));
}

std::string Cut(std::string_view text, size_t columns) {
  if (Columns(text) <= columns) return std::string(text);
  size_t end = 0;
  for (size_t left = columns - 1; end < text.size();) {
    ucs4_t character = 0;
    const int bytes = u8_mbtouc(&character, Bytes(text) + end, text.size() - end);
    const size_t width = static_cast<size_t>(std::max(uc_width(character, kEncoding), 0));
    if (width > left) break;
    left -= width;
    end += static_cast<size_t>(bytes);
  }
  return absl::StrCat(Absl(text.substr(0, end)), "…");
}

std::string CutBytes(std::string_view text, size_t bytes) {
  constexpr std::string_view kEllipsis = "…";
  if (text.size() <= bytes) return std::string(text);
  return absl::StrCat(Absl(Prefix(text, bytes - std::min(bytes, kEllipsis.size()))),
                      Absl(kEllipsis));
}

std::string Quote(const Evidence& evidence, size_t columns) {
  const std::string_view text = evidence.text;
  const size_t start = static_cast<size_t>(std::max(evidence.column - 1, 0));
  if (start <= columns / 2 || Columns(text) <= columns) return Cut(text, columns - 1);
  size_t from = start - std::min<size_t>(start, 12);
  while (from < text.size() && IsContinuation(text[from])) ++from;
  return Cut(absl::StrCat("…", Absl(text.substr(from))), columns - 1);
}

std::string OneLine(std::string_view text) {
  std::string line;
  for (size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    if (rest[0] == '\xC2' && rest.size() > 1 && (rest[1] & 0xE0) == 0x80) {
      line.push_back(' ');
      i += 1;
    } else if (rest.starts_with("\xE2\x80\xA8") || rest.starts_with("\xE2\x80\xA9")) {
      line.push_back(' ');
      i += 2;
    } else {
      line.push_back(absl::ascii_iscntrl(static_cast<unsigned char>(rest[0])) ? ' ' : rest[0]);
    }
  }
  return line;
}

std::string_view Prefix(std::string_view text, size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && IsContinuation(text[bytes])) --bytes;
  return text.substr(0, bytes);
}

}  // namespace cudadoctor

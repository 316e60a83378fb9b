// text/utf.h: bytes of unknown encoding to valid UTF-8.
#ifndef CUDADOCTOR_TEXT_UTF_H_
#define CUDADOCTOR_TEXT_UTF_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace cudadoctor {

// Recognises UTF-16 by its byte order mark and turns a stream of it into UTF-8; other streams pass
// unchanged. Not thread-safe.
class StreamDecoder {
 public:
  StreamDecoder() = default;
  ~StreamDecoder();
  StreamDecoder(const StreamDecoder&) = delete;  // owns an open conversion
  StreamDecoder& operator=(const StreamDecoder&) = delete;

  // The decoded form of the next `bytes`: a view of `bytes` itself when nothing had to be changed,
  // otherwise of a buffer that the next call overwrites. Halves of surrogate pairs become U+FFFD.
  std::string_view Decode(std::string_view bytes);

  // What is still held back when the stream ends: a single byte, half a character.
  std::string_view Flush();

 private:
  enum class State { kStart, kPlain, kUtf16 };

  std::string_view Convert(std::string_view bytes);

  State state_ = State::kStart;
  void* conversion_ = nullptr;  // iconv_t
  std::string held_;            // bytes of an incomplete character, or of a mark not yet complete
  std::string output_;
};

// Appends `text` to `output` as valid UTF-8: each byte that is not part of a well-formed character
// becomes U+FFFD. Characters that reorder or hide text on a screen (U+061C, U+200B..U+200F,
// U+202A..U+202E, U+2060..U+2069, U+FEFF) are dropped.
void AppendValidUtf8(std::string_view text, std::string& output);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_TEXT_UTF_H_

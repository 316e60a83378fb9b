// base/read_all.h: a stream as one string.
#ifndef CUDADOCTOR_BASE_READ_ALL_H_
#define CUDADOCTOR_BASE_READ_ALL_H_

#include <array>
#include <istream>
#include <string>

namespace cudadoctor {

// What is left of `stream`. A read error ends it, and leaves stream.bad() true; an iterator over
// the buffer would throw instead: reading /proc/PID fails when that process ends meanwhile.
inline std::string ReadAll(std::istream& stream) {
  std::string content;
  std::array<char, 16384> block;
  do {
    stream.read(block.data(), block.size());
    content.append(block.data(), static_cast<size_t>(stream.gcount()));
  } while (stream.gcount() > 0);
  return content;
}

}  // namespace cudadoctor

#endif  // CUDADOCTOR_BASE_READ_ALL_H_

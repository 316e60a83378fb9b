// redact/log.h: a whole log that can be shown to others.
#ifndef CUDADOCTOR_REDACT_LOG_H_
#define CUDADOCTOR_REDACT_LOG_H_

#include <array>
#include <functional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "redact/people.h"
#include "text/utf.h"

namespace cudadoctor {

// Writes a log again, byte for byte (UTF-16 as UTF-8) but for its credentials, which become kMask,
// and its people, who become user1, user2 (redact/people.h). Reads it twice, so that a name that a
// later line gives away is known in the first. Keeps a few lines. Not thread-safe.
class LogRedactor {
 public:
  using Write = std::function<absl::Status(std::string_view)>;

  explicit LogRedactor(Write write) : write_(std::move(write)) {}

  // The first reading: the log's bytes, split anywhere.
  void Learn(std::string_view bytes);
  void EndLearning();

  // The second reading. Errors: those of `write`.
  absl::Status Feed(std::string_view bytes);
  absl::Status Finish();

 private:
  // Calls `take` for each line of `bytes` with its '\n', and for a part of one that is too long.
  template <typename Take>
  absl::Status ForEachLine(std::string_view decoded, const Take& take);
  absl::Status TakeLine(const std::string& line);
  absl::Status WriteMiddle();

  const Write write_;
  Pseudonyms names_;
  StreamDecoder decoder_;
  StreamDecoder learned_decoder_;
  std::string partial_;
  // Neighbours that a credential may be wrapped over: the last ones are not written yet.
  std::string lines_;   // raw, some of them written
  size_t written_ = 0;  // bytes of `lines_`
  int waiting_ = 0;     // lines that are not written
};

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REDACT_LOG_H_

// cli/unpack.h: compressed logs as bytes.
#ifndef CUDADOCTOR_CLI_UNPACK_H_
#define CUDADOCTOR_CLI_UNPACK_H_

#include <functional>
#include <memory>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace cudadoctor {

using TakeBytes = std::function<absl::Status(std::string_view)>;

// Takes the bytes of a compressed file, split anywhere, and gives what they hold. No program is
// started for it. Not thread-safe.
class Unpacker {
 public:
  // Bytes of a file's head that tell a format.
  static constexpr size_t kMagicBytes = 10;
  // Of a dictionary; what needs more is refused. xz -9 and zstd -19 need as much.
  static constexpr size_t kMaxDictionaryBytes = size_t{64} << 20;

  virtual ~Unpacker() = default;

  // Errors: kDataLoss, damaged (checksums are verified; what came before was given), with a reason;
  //         kResourceExhausted, it needs a larger dictionary, with the command that unpacks it;
  //         those of `take`.
  virtual absl::Status Feed(std::string_view bytes, const TakeBytes& take) = 0;

  // Says that there are no more bytes.
  // Errors: kDataLoss, there should be.
  virtual absl::Status Finish() = 0;
};

// For a file that begins with `head` (at least kMagicBytes, where it is that long): gzip, zstd, xz
// and bzip2, each told by its magic alone; nullptr for anything else. Errors: kResourceExhausted,
// no memory.
absl::StatusOr<std::unique_ptr<Unpacker>> UnpackerFor(std::string_view head);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_CLI_UNPACK_H_

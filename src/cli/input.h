// cli/input.h: files and pipes as bytes.
#ifndef CUDADOCTOR_CLI_INPUT_H_
#define CUDADOCTOR_CLI_INPUT_H_

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cli/unpack.h"

namespace cudadoctor {

// Gives the content of a log file to `take`, decompressed when it is gzip, zstd, xz or bzip2
// (cli/unpack.h).
// Errors: kNotFound, there is no such file; kInvalidArgument, it is a folder or holds binary data;
//         kPermissionDenied; kDataLoss, it ends or breaks in the middle (what came before was
//         given); kResourceExhausted, it needs too much memory to be unpacked; those of `take`.
absl::Status ReadLogFile(const std::string& path, const TakeBytes& take);

// Gives what arrives on a descriptor to `take` as soon as it is there, until its end.
// Errors: kUnavailable, it cannot be read (closed, for instance); those of `take`.
absl::Status ReadDescriptor(int descriptor, const TakeBytes& take);

// A whole regular file of at most 16 MiB.
// Errors: kNotFound, kPermissionDenied; kInvalidArgument, it is another kind of file, or larger;
//         kUnknown, it cannot be read.
absl::StatusOr<std::string> ReadSmallFile(const std::string& path);

// A log of a pipe, kept to be read once more: a temporary file without a name, gone with this.
class LogCopy {
 public:
  // Keeps nothing.
  LogCopy() = default;

  // Errors: kUnknown, there is no room for temporary files.
  static absl::StatusOr<LogCopy> Create();

  // Errors: kUnknown, the disk is full.
  absl::Status Append(std::string_view bytes);

  // Gives all that was appended to `take`.
  // Errors: kUnknown; those of `take`.
  absl::Status Read(const TakeBytes& take);

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{nullptr, std::fclose};
};

// Writes all of `bytes` at once, unbuffered. `name` is the descriptor's in errors.
// Errors: kUnavailable, nobody reads any more; kUnknown, another failure (a full disk).
absl::Status WriteDescriptor(int descriptor, std::string_view bytes,
                             std::string_view name = "standard output");

// Whether two descriptors are the same file, pipe or terminal.
bool IsSameFile(int a, int b);

// Replaces a file's content: written beside it and renamed, so that a full disk leaves the old one.
// Errors: kUnknown, "FILE: reason".
absl::Status WriteFile(const std::string& path, std::string_view content);

// Adds what `content` makes of the file's size to its end, on a line of its own; creates the file
// when there is none.
// Errors: kUnknown, "FILE: reason".
absl::Status AppendToFile(const std::string& path,
                          const std::function<std::string(size_t size)>& content);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_CLI_INPUT_H_

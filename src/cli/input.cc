#include "cli/input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <system_error>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/read_all.h"
#include "base/status_macros.h"
#include "base/views.h"
#include "cli/unpack.h"

namespace cudadoctor {
namespace {

constexpr size_t kBlockBytes = size_t{1} << 20;
constexpr size_t kSniffedBytes = 8192;
constexpr size_t kMaxSmallBytes = size_t{16} << 20;

std::string ErrnoText(int error) { return std::generic_category().message(error); }

// NUL bytes are in no text but UTF-16, which begins with its mark.
bool IsBinary(std::string_view head) {
  head = head.substr(0, kSniffedBytes);
  const bool is_utf16 = head.substr(0, 2) == "\xFF\xFE" || head.substr(0, 2) == "\xFE\xFF";
  return !is_utf16 && head.find('\0') != std::string_view::npos;
}

absl::Status CheckIsReadable(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) {
    const int error = errno;
    if (error == EACCES)
      return absl::PermissionDeniedError(absl::StrCat(path, ": ", ErrnoText(error)));
    return absl::NotFoundError(
        absl::StrCat(path, ": ", ErrnoText(error), "; name an existing log file"));
  }
  if (S_ISDIR(status.st_mode))
    return absl::InvalidArgumentError(absl::StrCat(path, ": is a folder; name a log file in it"));
  if (access(path.c_str(), R_OK) != 0)
    return absl::PermissionDeniedError(
        absl::StrCat(path, ": ", ErrnoText(errno), "; make it readable"));
  return absl::OkStatus();
}

struct File {
  explicit File(int opened) : descriptor(opened) {}
  ~File() {
    if (descriptor >= 0) close(descriptor);
  }
  File(const File&) = delete;  // owns a descriptor
  File& operator=(const File&) = delete;

  const int descriptor;
};

}  // namespace

absl::Status ReadLogFile(const std::string& path, const TakeBytes& take) {
  RETURN_IF_ERROR(CheckIsReadable(path));
  const File file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.descriptor < 0)
    return absl::UnknownError(absl::StrCat(path, ": cannot be opened: ", ErrnoText(errno)));
  std::unique_ptr<Unpacker> unpacker;
  bool is_first = true;
  const auto take_text = [&](std::string_view bytes) {
    if (is_first && IsBinary(bytes)) {
      return absl::InvalidArgumentError(
          "holds binary data, not a log; name a text file (gzip, zstd, xz and bzip2 are unpacked)");
    }
    is_first = is_first && bytes.empty();
    return bytes.empty() ? absl::OkStatus() : take(bytes);
  };
  const auto named = [&path](const absl::Status& status) {
    return status.ok() ? status
                       : absl::Status(status.code(), absl::StrCat(path, ": ", status.message()));
  };
  std::vector<char> buffer(kBlockBytes);
  size_t held = 0;  // bytes of the head, until there are enough to tell a format
  for (bool is_told = false;;) {
    const ssize_t size = read(file.descriptor, buffer.data() + held, buffer.size() - held);
    if (size < 0) {
      if (errno == EINTR) continue;
      return absl::DataLossError(absl::StrCat(path, ": cannot be read: ", ErrnoText(errno)));
    }
    held += static_cast<size_t>(size);
    if (!is_told && size > 0 && held < Unpacker::kMagicBytes) continue;
    const std::string_view bytes(buffer.data(), held);
    held = 0;
    if (!is_told) {
      is_told = true;
      ASSIGN_OR_RETURN(unpacker, UnpackerFor(bytes));
    }
    // What `take` says of itself is not about the file.
    absl::Status taken;
    const auto keep = [&](std::string_view text) {
      taken = take_text(text);
      return taken;
    };
    const absl::Status fed = unpacker != nullptr ? unpacker->Feed(bytes, keep) : keep(bytes);
    if (!taken.ok()) return absl::IsInvalidArgument(taken) && is_first ? named(taken) : taken;
    if (!fed.ok()) return named(fed);
    if (size == 0) return unpacker != nullptr ? named(unpacker->Finish()) : absl::OkStatus();
  }
}

absl::Status ReadDescriptor(int descriptor, const TakeBytes& take) {
  std::vector<char> buffer(size_t{256} << 10);
  for (;;) {
    const ssize_t size = read(descriptor, buffer.data(), buffer.size());
    if (size == 0) return absl::OkStatus();
    if (size < 0) {
      if (errno == EINTR) continue;
      return absl::UnavailableError(absl::StrCat(
          "standard input cannot be read: ", ErrnoText(errno), "; name a log file, or pipe one"));
    }
    RETURN_IF_ERROR(take({buffer.data(), static_cast<size_t>(size)}));
  }
}

absl::StatusOr<std::string> ReadSmallFile(const std::string& path) {
  RETURN_IF_ERROR(CheckIsReadable(path));
  // A pipe that nobody writes to would keep us waiting, a device that has no end even longer.
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    return absl::InvalidArgumentError(absl::StrCat(path, ": is no regular file; name one"));
  if (const auto size = std::filesystem::file_size(path, error); !error && size > kMaxSmallBytes) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": has ", size >> 20, " MiB; at most ",
                                                   kMaxSmallBytes >> 20, " MiB are read"));
  }
  std::ifstream file(path, std::ios::binary);
  std::string content = ReadAll(file);
  if (file.bad()) return absl::UnknownError(absl::StrCat(path, ": cannot be read"));
  return content;
}

absl::StatusOr<LogCopy> LogCopy::Create() {
  LogCopy copy;
  copy.file_.reset(std::tmpfile());
  if (copy.file_ == nullptr) {
    return absl::UnknownError(absl::StrCat("a copy of the log cannot be kept: ", ErrnoText(errno),
                                           "; make room for temporary files"));
  }
  return copy;
}

absl::Status LogCopy::Append(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) {
    return absl::UnknownError(absl::StrCat("a copy of the log cannot be kept: ", ErrnoText(errno),
                                           "; make room for temporary files"));
  }
  return absl::OkStatus();
}

absl::Status LogCopy::Read(const TakeBytes& take) {
  std::rewind(file_.get());
  std::vector<char> buffer(kBlockBytes);
  while (const size_t size = std::fread(buffer.data(), 1, buffer.size(), file_.get()))
    RETURN_IF_ERROR(take({buffer.data(), size}));
  if (std::ferror(file_.get()) != 0)
    return absl::UnknownError("the copy of the log cannot be read back");
  return absl::OkStatus();
}

absl::Status WriteDescriptor(int descriptor, std::string_view bytes, std::string_view name) {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      if (errno == EPIPE)
        return absl::UnavailableError(absl::StrCat(Absl(name), " was closed by its reader"));
      return absl::UnknownError(absl::StrCat(Absl(name), ": ", ErrnoText(errno)));
    }
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return absl::OkStatus();
}

bool IsSameFile(int a, int b) {
  struct stat of_a, of_b;
  return fstat(a, &of_a) == 0 && fstat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
         of_a.st_ino == of_b.st_ino;
}

absl::Status WriteFile(const std::string& path, std::string_view content) {
  const auto failure = [&path](int error) {
    return absl::UnknownError(absl::StrCat(path, ": cannot be written: ", ErrnoText(error)));
  };
  // A link stays one; what is no regular file (a terminal, a pipe, /dev/null) is written to.
  std::error_code error;
  const std::filesystem::path resolved = std::filesystem::weakly_canonical(path, error);
  const std::string target = error ? path : resolved.string();
  struct stat status;
  const bool exists = stat(target.c_str(), &status) == 0;
  const auto write_in_place = [&] {
    const File file(open(target.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    return file.descriptor < 0 ? failure(errno) : WriteDescriptor(file.descriptor, content, path);
  };
  if (exists && !S_ISREG(status.st_mode)) return write_in_place();
  std::string beside = absl::StrCat(target, ".XXXXXX");
  int made = -1;
  {
    const File file(mkostemp(beside.data(), O_CLOEXEC));
    made = file.descriptor;
    // Nothing may be made in that folder, but the file may be changed.
    if (made < 0) return exists ? write_in_place() : failure(errno);
    const mode_t mask = umask(0);
    umask(mask);
    fchmod(made, exists ? status.st_mode & 07777 : 0666 & ~mask);
    const absl::Status written = WriteDescriptor(made, content, path);
    if (!written.ok()) {
      unlink(beside.c_str());
      return absl::UnknownError(written.message());
    }
  }
  if (rename(beside.c_str(), target.c_str()) == 0) return absl::OkStatus();
  const int reason = errno;
  unlink(beside.c_str());
  return failure(reason);
}

absl::Status AppendToFile(const std::string& path,
                          const std::function<std::string(size_t size)>& content) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out | std::ios::app);
  file.seekg(0, std::ios::end);
  const std::streamoff size = std::max<std::streamoff>(file.tellg(), 0);
  char last = '\n';
  if (size > 0 && file.seekg(size - 1)) file.get(last);
  file.clear(file.rdstate() & std::ios::badbit);
  std::string text = content(static_cast<size_t>(size));
  if (last != '\n' && !text.empty()) text.insert(0, "\n");
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.flush();
  if (!file.is_open() || !file.good())
    return absl::UnknownError(absl::StrCat(path, ": cannot be written: ", ErrnoText(errno)));
  return absl::OkStatus();
}

}  // namespace cudadoctor

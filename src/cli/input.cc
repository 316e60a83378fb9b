#include "cli/input.h"

#include <archive.h>
#include <archive_entry.h>
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

namespace cudadoctor {
namespace {

constexpr size_t kBlockBytes = size_t{1} << 20;
constexpr size_t kSniffedBytes = 8192;

std::string ErrnoText(int error) { return std::generic_category().message(error); }

// NUL bytes are in no text but UTF-16, which begins with its mark.
bool IsBinary(std::string_view head) {
  head = head.substr(0, kSniffedBytes);
  const bool is_utf16 = head.substr(0, 2) == "\xFF\xFE" || head.substr(0, 2) == "\xFE\xFF";
  return !is_utf16 && head.find('\0') != std::string_view::npos;
}

absl::Status CheckIsFile(const std::string& path) {
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

}  // namespace

absl::Status ReadLogFile(const std::string& path, const TakeBytes& take) {
  RETURN_IF_ERROR(CheckIsFile(path));
  const std::unique_ptr<archive, int (*)(archive*)> reader(archive_read_new(), archive_read_free);
  archive_read_support_filter_all(reader.get());
  archive_read_support_format_raw(reader.get());
  archive_read_support_format_empty(reader.get());
  const auto failure = [&] {
    const char* reason = archive_error_string(reader.get());
    return absl::DataLossError(absl::StrCat(path, ": ",
                                            reason == nullptr ? "cannot be read" : reason,
                                            "; the file may be damaged or cut"));
  };
  if (archive_read_open_filename(reader.get(), path.c_str(), kBlockBytes) != ARCHIVE_OK)
    return failure();
  archive_entry* entry = nullptr;
  const int header = archive_read_next_header(reader.get(), &entry);
  if (header == ARCHIVE_EOF) return absl::OkStatus();
  if (header < ARCHIVE_WARN) return failure();
  bool is_first = true;
  for (;;) {
    const void* block = nullptr;
    size_t size = 0;
    la_int64_t offset = 0;
    const int result = archive_read_data_block(reader.get(), &block, &size, &offset);
    if (result == ARCHIVE_EOF) return absl::OkStatus();
    if (result < ARCHIVE_WARN) return failure();
    const std::string_view bytes(static_cast<const char*>(block), size);
    if (is_first && IsBinary(bytes)) {
      return absl::InvalidArgumentError(
          absl::StrCat(path,
                       ": holds binary data, not a log; name a text file (gzip, zstd, xz and bzip2 "
                       "are unpacked)"));
    }
    is_first = is_first && size == 0;
    RETURN_IF_ERROR(take(bytes));
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
  RETURN_IF_ERROR(CheckIsFile(path));
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
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.flush();
  if (!file.good())
    return absl::UnknownError(absl::StrCat(path, ": cannot be written: ", ErrnoText(errno)));
  return absl::OkStatus();
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

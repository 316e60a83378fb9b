#include "host/root_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/views.h"

namespace cudadoctor {
namespace {

// As Linux has it for one path (MAXSYMLINKS).
constexpr int kMaxLinks = 40;

std::deque<std::string> Parts(std::string_view path) {
  return absl::StrSplit(Absl(path), '/', absl::SkipEmpty());
}

}  // namespace

std::string JoinPath(std::string_view folder, std::string_view name) {
  while (folder.ends_with('/')) folder.remove_suffix(1);
  return absl::StrCat(Absl(folder), "/", Absl(name));
}

std::string_view FolderOf(std::string_view path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return "";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string_view NameOf(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string RootFiles::Resolve(std::string_view path) const {
  std::deque<std::string> open = Parts(path);
  std::vector<std::string> done;
  const auto join = [&done] {
    std::string joined;
    for (const std::string& part : done) absl::StrAppend(&joined, "/", part);
    return joined;
  };
  for (int links = 0; !open.empty();) {
    const std::string part = std::move(open.front());
    open.pop_front();
    if (part == ".") continue;
    if (part == "..") {
      if (!done.empty()) done.pop_back();
      continue;
    }
    done.push_back(part);
    std::error_code error;
    const std::filesystem::path target = std::filesystem::read_symlink(root_ + join(), error);
    if (error || ++links > kMaxLinks) continue;
    if (target.is_absolute()) {
      done.clear();
    } else {
      done.pop_back();
    }
    const std::deque<std::string> more = Parts(target.string());
    open.insert(open.begin(), more.begin(), more.end());
  }
  const std::string resolved = join();
  return resolved.empty() ? "/" : resolved;
}

std::string RootFiles::Real(std::string_view path) const {
  // The kernel follows links faster, and magic ones such as /proc/self as well.
  return root_.empty() ? std::string(path) : root_ + Resolve(path);
}

std::string RootFiles::Read(std::string_view path, size_t max_bytes) const {
  // Without O_NONBLOCK, opening a pipe that stands where a file should would wait for its writer.
  const int file = open(Real(path).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) return "";
  std::string text;
  struct stat status = {};
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
    char block[16384];
    while (text.size() < max_bytes) {
      const ssize_t count = read(file, block, std::min(sizeof block, max_bytes - text.size()));
      if (count <= 0) break;
      text.append(block, static_cast<size_t>(count));
    }
  }
  close(file);
  return text;
}

std::string RootFiles::ReadLine(std::string_view path) const {
  const std::string text = Read(path, 4096);
  return std::string(absl::StripAsciiWhitespace(text.substr(0, text.find('\n'))));
}

bool RootFiles::Exists(std::string_view path) const {
  struct stat status = {};
  return stat(Real(path).c_str(), &status) == 0;
}

bool RootFiles::IsFolder(std::string_view path) const {
  struct stat status = {};
  return stat(Real(path).c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

bool RootFiles::IsProgram(std::string_view path) const {
  struct stat status = {};
  return stat(Real(path).c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         (status.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH)) != 0;
}

std::vector<std::string> RootFiles::List(std::string_view path) const {
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator entries(Real(path), error);
  if (error) return names;
  for (const auto end = std::filesystem::directory_iterator(); entries != end;
       entries.increment(error)) {
    if (error) break;
    names.push_back(entries->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace cudadoctor

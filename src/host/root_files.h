// host/root_files.h: the files below a folder, as a program sees them whose / it is.
#ifndef CUDADOCTOR_HOST_ROOT_FILES_H_
#define CUDADOCTOR_HOST_ROOT_FILES_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cudadoctor {

// Reads only. Every path is absolute and seen from the root: links are followed below it, so that a
// recorded tree never leads out of itself. What cannot be read counts as absent.
class RootFiles {
 public:
  // `root` is without a final slash; empty for this machine's own /.
  explicit RootFiles(std::string root) : root_(std::move(root)) {}

  // The first `max_bytes` of a regular file; empty when there is none.
  std::string Read(std::string_view path, size_t max_bytes = 1 << 20) const;

  // The first line of a file, without white space around it.
  std::string ReadLine(std::string_view path) const;

  bool Exists(std::string_view path) const;
  bool IsFolder(std::string_view path) const;
  bool IsProgram(std::string_view path) const;  // a file that somebody may execute

  // The names in a folder, sorted; empty when there is none.
  std::vector<std::string> List(std::string_view path) const;

  // `path` without links and dots; as far as it exists.
  std::string Resolve(std::string_view path) const;

  // Where `path` lies on this machine.
  std::string Real(std::string_view path) const;

 private:
  std::string root_;
};

// `folder`/`name`, with one slash between them.
std::string JoinPath(std::string_view folder, std::string_view name);

// What stands before and after the last slash: "/usr/bin" and "nvcc" of "/usr/bin/nvcc".
std::string_view FolderOf(std::string_view path);
std::string_view NameOf(std::string_view path);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_HOST_ROOT_FILES_H_

// host/root_of_processes.h: a folder that looks like /, with the processes and files of a build.
#ifndef CUDADOCTOR_TESTS_HOST_ROOT_OF_PROCESSES_H_
#define CUDADOCTOR_TESTS_HOST_ROOT_OF_PROCESSES_H_

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace cudadoctor {

// Gone with this.
class Root {
 public:
  Root() {
    std::string pattern = (std::filesystem::temp_directory_path() / "cudadoctor-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~Root() { std::filesystem::remove_all(path_); }
  const std::string& path() const { return path_; }

  // A process; its peak is what it has now unless told.
  void Add(int pid, int parent, const std::string& name, int64_t mebibytes,
           const std::vector<std::string>& arguments = {}, int64_t peak_mebibytes = 0) {
    const std::string folder = path_ + "/proc/" + std::to_string(pid);
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "/stat") << pid << " (" << name << ") S " << parent
                                    << " 7 7 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 1 0 4711 0 0\n";
    std::ofstream(folder + "/status")
        << "Name:\t" << name << "\nUid:\t1000\t1000\t1000\t1000\nVmHWM:\t"
        << 1024 * std::max(mebibytes, peak_mebibytes) << " kB\nVmRSS:\t" << 1024 * mebibytes
        << " kB\n";
    std::ofstream cmdline(folder + "/cmdline", std::ios::binary);
    for (const std::string& argument : arguments) cmdline << argument << '\0';
  }

  void Remove(int pid) { std::filesystem::remove_all(path_ + "/proc/" + std::to_string(pid)); }

  void WorksIn(int pid, const std::string& folder) {
    std::filesystem::create_symlink(folder, path_ + "/proc/" + std::to_string(pid) + "/cwd");
  }

  void Write(const std::string& name, const std::string& content, bool appends = false) {
    std::filesystem::create_directories(std::filesystem::path(path_ + name).parent_path());
    std::ofstream(path_ + name, appends ? std::ios::app : std::ios::trunc) << content;
  }

 private:
  std::string path_;
};

}  // namespace cudadoctor

#endif  // CUDADOCTOR_TESTS_HOST_ROOT_OF_PROCESSES_H_

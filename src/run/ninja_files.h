// run/ninja_files.h: how far a ninja is, from build.ninja and .ninja_log.
#ifndef CUDADOCTOR_RUN_NINJA_FILES_H_
#define CUDADOCTOR_RUN_NINJA_FILES_H_

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace cudadoctor {

// What a ninja was asked for.
struct NinjaCall {
  std::string file = "build.ninja";
  std::vector<std::string> targets = {};  // empty: the file's defaults, or everything
};

// Reads ninja's own arguments, its name first. -C is not needed: ninja changes into that folder.
NinjaCall ParseNinjaCall(const std::vector<std::string>& arguments);

// The object files (.o, .obj) that the targets of `call` need, by the build statements of its file
// in `folder` and of what that includes. Names are as written, variables unexpanded. Empty when
// there is no such file.
std::set<std::string> NinjaObjects(const std::string& folder, const NinjaCall& call);

// Follows one ninja.
class NinjaProgress {
 public:
  // `started` is in seconds since 1970: what was built before it is of an earlier run.
  NinjaProgress(std::string folder, const NinjaCall& call, int64_t started);

  // Reads what .ninja_log has gained.
  void Update();

  int built() const { return static_cast<int>(built_.size()); }
  // Objects still to be built and those that were. Those of an earlier run count once they are
  // built again.
  int total() const { return static_cast<int>(objects_.size() - earlier_.size()); }
  bool has_earlier() const { return !earlier_.empty(); }

 private:
  void TakeLine(const std::string& line);

  const std::string folder_;
  const int64_t started_;
  const std::set<std::string> objects_;
  std::set<std::string> built_;
  std::set<std::string> earlier_;  // and not built since
  int64_t offset_ = 0;             // of .ninja_log, how much is read
};

}  // namespace cudadoctor

#endif  // CUDADOCTOR_RUN_NINJA_FILES_H_

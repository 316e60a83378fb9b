// redact/home_folders.h: home folders in paths, whose names say who built.
#ifndef CUDADOCTOR_REDACT_HOME_FOLDERS_H_
#define CUDADOCTOR_REDACT_HOME_FOLDERS_H_

#include <cstddef>
#include <string_view>
#include <vector>

namespace cudadoctor {

// Where `text` names a home folder. Half-open bytes.
struct HomeFolder {
  size_t begin = 0;
  size_t end = 0;
  size_t name = 0;  // where the account's name begins; it reaches up to `end`
  // Whether the span is the whole folder (/home/alice, C:\Users\alice, /Users/alice), which "~" can
  // stand for; else it is only the account's name in a longer path (/gpfs/home/alice,
  // /scratch/alice, /mnt/c/Users/alice, build/temp.linux-x86_64/home/alice).
  bool is_whole = false;
  bool is_of_windows = false;  // seen from WSL or Cygwin: not the home folder of that shell
};

// In the order of the text. Left out are accounts that name a machine's role and no person
// (runner, ubuntu, jovyan, Public, …), files (/home/run.py), placeholders and the paths of URLs.
std::vector<HomeFolder> FindHomeFolders(std::string_view text);

// Whether an account names a machine's role, an image's user or a placeholder, and no person.
bool IsSharedAccount(std::string_view account);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REDACT_HOME_FOLDERS_H_

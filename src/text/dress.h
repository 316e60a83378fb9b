// text/dress.h: what CI systems, containers and loggers put in front of every line.
#ifndef CUDADOCTOR_TEXT_DRESS_H_
#define CUDADOCTOR_TEXT_DRESS_H_

#include <string>
#include <string_view>

namespace cudadoctor {

// Where a line comes from, told by its dress.
struct Dress {
  std::string stream;       // "docker:14", "pid:1187"; empty when the dress names none
  bool is_foreign = false;  // a CI's or a cluster's: the log is not of this machine
};

// Removes every dress at the start of `line` (they nest: a CI's time before a container's step) and
// returns what it told. `line` holds no colour codes; it becomes a suffix of itself.
//
// Known: ISO times of GitHub Actions, Azure, kubectl and docker (also in brackets: Jenkins,
// Buildkite; with GitLab's stream mark; behind the two columns of `gh run view --log`), clock times
// of older Jenkins, BuildKit's "#14 3.2 " and the times of its summary, docker compose's and
// kubectl's names, syslog and the kernel's clock, "(Name pid=7)", "[rank0]:", vLLM's and Airflow's
// loggers, uv's DEBUG and TRACE, Packer's and Terraform's names.
Dress RemoveDress(std::string_view& line);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_TEXT_DRESS_H_

// engine/session.h: the library's door: bytes of a log in, a report out.
#ifndef CUDADOCTOR_ENGINE_SESSION_H_
#define CUDADOCTOR_ENGINE_SESSION_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/report.h"
#include "rules/rule_set.h"

namespace cudadoctor {

struct SessionOptions {
  std::string input_name;  // for Report::input
  // Facts of the machine that the log comes from. Called at most once, by Finish, when the log
  // shows a failure.
  std::function<std::vector<Fact>()> host_facts = {};
  // Whether they are of the machine that this runs on, which need not be the log's: they are left
  // aside when the log has the dress of a CI system or of kubectl, or contradicts them.
  bool is_local_host = false;
  // What is known of the command whose log this is, with origin host: used in any case, and called
  // like host_facts.
  std::function<std::vector<Fact>()> command_facts = {};
  std::function<void(const std::string&)> trace =
      {};  // called with what fired and why each cause won or lost
};

// Diagnoses one log.
//
//   absl::StatusOr<std::unique_ptr<RuleSet>> rules = RuleSet::Create();
//   if (!rules.ok()) return rules.status();
//   auto session = Session::Create(**rules, {.input_name = "build.log"});
//   if (absl::Status status = (*session)->Feed(bytes); !status.ok()) return status;
//   absl::StatusOr<Report> report = (*session)->Finish(/*exit_status=*/std::nullopt);
//
// Takes a bounded amount of memory, whatever the log's length. Not thread-safe; threads may have a
// session each on one rule set.
class Session {
 public:
  // `rules` must outlive the session.
  static absl::StatusOr<std::unique_ptr<Session>> Create(const RuleSet& rules,
                                                         SessionOptions options);

  virtual ~Session() = default;

  // The next bytes of the log, split anywhere: UTF-8 with errors, or UTF-16 with a byte order mark.
  // Errors: kResourceExhausted, an expression needs more memory than it may take.
  virtual absl::Status Feed(std::string_view bytes) = 0;

  // Ends the log; no call may follow. `exit_status` is that of the command whose log this is, when
  // the caller knows it.
  // Errors: those of Feed; kInvalidArgument, a rule of an overlay is not valid.
  virtual absl::StatusOr<Report> Finish(std::optional<int> exit_status) = 0;
};

}  // namespace cudadoctor

#endif  // CUDADOCTOR_ENGINE_SESSION_H_

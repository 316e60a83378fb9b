#include "host/probe.h"

#include <array>
#include <future>
#include <iterator>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "host/machine.h"
#include "host/subjects.h"

namespace cudadoctor {
namespace {

struct Subject {
  const char* name;
  std::vector<Fact> (*probe)(const Machine&);
};

constexpr std::array<Subject, 7> kSubjects = {{
    {"system", ProbeSystem},
    {"toolkits", ProbeToolkits},
    {"gpus", ProbeGpus},
    {"compilers", ProbeCompilers},
    {"resources", ProbeResources},
    {"python", ProbePython},
    {"leftovers", ProbeLeftovers},
}};

}  // namespace

std::vector<Fact> ProbeHost(const HostSources& sources) {
  // Owned by every thread: one that is left behind may still read it.
  const auto machine = std::make_shared<const Machine>(sources);
  const auto deadline = std::chrono::steady_clock::now() + sources.limit;
  std::vector<std::future<std::vector<Fact>>> answers;
  for (const Subject& subject : kSubjects) {
    const auto task = std::make_shared<std::packaged_task<std::vector<Fact>()>>(
        [machine, probe = subject.probe] { return probe(*machine); });
    answers.push_back(task->get_future());
    try {
      std::thread([task] { (*task)(); }).detach();
    } catch (const std::system_error&) {
      // No thread is to be had: where processes are limited, this is what one wants to know about.
      (*task)();
    }
  }
  HostFacts unanswered;
  std::vector<Fact> facts;
  for (size_t i = 0; i < answers.size(); ++i) {
    if (answers[i].wait_until(deadline) != std::future_status::ready) {
      unanswered.Add("unanswered", ValueType::kWord, kSubjects[i].name,
                     absl::StrCat("no answer within ", sources.limit.count(), " ms"));
      continue;
    }
    std::vector<Fact> found = answers[i].get();
    std::move(found.begin(), found.end(), std::back_inserter(facts));
  }
  std::move(unanswered.facts().begin(), unanswered.facts().end(), std::back_inserter(facts));
  return facts;
}

}  // namespace cudadoctor

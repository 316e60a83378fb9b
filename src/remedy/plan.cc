#include "remedy/plan.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "base/status_macros.h"
#include "remedy/apt.h"
#include "remedy/dialect.h"
#include "remedy/holes.h"
#include "remedy/own_command.h"
#include "remedy/shell.h"
#include "remedy/template.h"
#include "remedy/way.h"

namespace cudadoctor {
namespace {

constexpr size_t kMaxRemedies = 4;
constexpr const char* kUnknownFailure = "unknown-failure";

void Drop(const std::vector<std::string>& words, CommandLine& command) {
  for (const std::string& word : words) {
    command.words.erase(std::remove(command.words.begin(), command.words.end(), word),
                        command.words.end());
  }
}

// Of `run`, a template: whether it installs {package} by its name.
bool AsksIndexForPackage(const std::string& run) {
  return absl::StrContains(run, " install ") && absl::StrContains(run, "{package}");
}

class Planner {
 public:
  Planner(const RuleSet& rules, Resolver resolver)
      : rules_(rules), resolver_(std::move(resolver)) {}

  absl::StatusOr<std::optional<Remedy>> Plan(const RemedyPlan& plan) {
    if (!resolver_.Holds(plan.when)) return std::optional<Remedy>();
    const Holes own(resolver_);
    if (plan.use.empty()) return Fill(plan, own);
    ASSIGN_OR_RETURN(const SharedRemedy* shared, rules_.SharedRemedyOf(plan.use));
    const std::map<std::string, HoleValue> parameters = Parameters(plan, own);
    // Within the shared remedy a parameter is a fact like any other.
    std::vector<Capture> captures;
    captures.reserve(parameters.size());
    for (const auto& [name, value] : parameters) captures.push_back({name, value.type, value.text});
    const Resolver resolver = resolver_.With(std::move(captures));
    Holes holes(resolver);
    for (const auto& [name, value] : parameters) holes.SetParameter(name, value);
    for (const RemedyPlan& variant : shared->variants) {
      if (!resolver.Holds(variant.when)) continue;
      RemedyPlan merged = variant;
      merged.id = plan.id;
      // A variant that does something else says so itself.
      if (merged.title.empty()) merged.title = plan.title.empty() ? shared->title : plan.title;
      if (merged.why.empty()) merged.why = plan.why;
      if (merged.cost.empty()) merged.cost = plan.cost;
      if (!plan.needs.empty()) merged.needs = plan.needs;
      if (plan.check.has_value()) merged.check = plan.check;
      merged.steps.insert(merged.steps.end(), plan.steps.begin(), plan.steps.end());
      return Fill(merged, holes);
    }
    return std::optional<Remedy>();
  }

 private:
  static std::map<std::string, HoleValue> Parameters(const RemedyPlan& plan, const Holes& holes) {
    std::map<std::string, HoleValue> parameters;
    for (const auto& [name, text] : plan.with) {
      // A parameter that is one hole keeps its type; one with words around it is a command's part.
      const std::vector<std::string> inside = HolesOf(text);
      const bool is_one_hole = inside.size() == 1 && text == absl::StrCat("{", inside[0], "}");
      std::optional<HoleValue> value = is_one_hole ? holes.Fill(inside[0]) : std::nullopt;
      if (!is_one_hole) {
        if (std::optional<std::string> filled =
                FillTemplate(text, Target::kCommand, holes.filler())) {
          value = HoleValue{ValueType::kWord, *std::move(filled), true};
        }
      }
      if (value.has_value()) parameters.emplace(name, *std::move(value));
    }
    return parameters;
  }

  absl::StatusOr<std::optional<Remedy>> Fill(const RemedyPlan& plan, const Holes& holes) {
    Remedy remedy;
    remedy.id = plan.id;
    remedy.title = FillTexts(plan.title, holes.filler());
    remedy.needs = plan.needs;
    remedy.why = FillTexts(plan.why, holes.filler());
    remedy.cost = FillTexts(plan.cost, holes.filler());
    bool lost_a_command = false;
    bool has_command = false;
    bool changes_words = false;
    bool is_of_index = false;
    std::vector<bool> is_rerun;
    // What a build without isolation needs is put into the environment, not among what the project
    // depends on.
    const bool is_for_environment =
        std::any_of(plan.steps.begin(), plan.steps.end(), [](const StepPlan& step) {
          return step.rerun.has_value() &&
                 std::find(step.rerun->add.begin(), step.rerun->add.end(),
                           "--no-build-isolation") != step.rerun->add.end();
        });
    for (const StepPlan& step_plan : plan.steps) {
      if (!holes.resolver().Holds(step_plan.when)) continue;
      Step step;
      step.note = FillTexts(step_plan.note, holes.filler());
      if (AsksIndexForPackage(step_plan.run) && IsAskedByPlace(resolver_)) {
        // What an index has under that name is another project.
        is_of_index = true;
        continue;
      }
      if (!step_plan.run.empty()) {
        step.run = FillTemplate(step_plan.run, Target::kCommand, holes.filler()).value_or("");
        step.goal = step.run;
        if (!is_for_environment) {
          ASSIGN_OR_RETURN(step.run, InProject(step.run, rules_, resolver_));
        }
        step.run = WithIndex(step.run, resolver_);
        LeaveToAdministrator(step);
        for (std::string& first : AptPrerequisites(step.run, resolver_)) {
          remedy.steps.push_back({std::move(first), ""});
          is_rerun.push_back(false);
        }
        InWorld(step.run);
        lost_a_command = lost_a_command || step.run.empty();
        has_command = has_command || !step.run.empty();
      } else if (step_plan.rerun.has_value()) {
        FillRerun(*step_plan.rerun, holes, remedy, step);
        if (std::optional<Step> forget = ForgetCompiler(*step_plan.rerun)) {
          InWorld(forget->run);
          remedy.steps.push_back(*std::move(forget));
          is_rerun.push_back(true);
        }
        step.goal = step.run;
        InWorld(step.run);
        changes_words = changes_words || !step_plan.rerun->add.empty() ||
                        !step_plan.rerun->drop.empty() || !step_plan.rerun->jobs.empty();
      }
      if (step.run.empty() && step.note.empty()) continue;
      if (step.run.empty() || step.run == step.goal) step.goal.clear();
      remedy.steps.push_back(std::move(step));
      is_rerun.push_back(step_plan.rerun.has_value());
    }
    if (is_of_index && !has_command) return std::optional<Remedy>();
    // To repeat a command is no remedy where the command that should come before it is unknown.
    if (lost_a_command && !has_command) {
      for (size_t i = remedy.steps.size(); i-- > 0;) {
        if (is_rerun[i]) remedy.steps.erase(remedy.steps.begin() + static_cast<long>(i));
      }
      remedy.env.clear();
    }
    if (remedy.steps.empty() || remedy.title.empty()) return std::optional<Remedy>();
    remedy.is_only_env = !remedy.env.empty() && !has_command && !lost_a_command && !changes_words &&
                         remedy.needs.empty();
    if (plan.check.has_value()) {
      std::optional<std::string> run =
          FillTemplate(plan.check->first, Target::kCommand, holes.filler());
      if (run.has_value()) InWorld(*run);
      std::string says = FillTexts(plan.check->second, holes.filler());
      if (run.has_value() && !run->empty() && !says.empty())
        remedy.check = Check{*std::move(run), std::move(says)};
    }
    return std::optional(std::move(remedy));
  }

  // CMake takes the compiler that it found the first time from its cache, whatever the environment
  // says: what has to be removed before a command with another compiler is repeated. Nothing where
  // the folder is not known, or is one that pip made for the build, or that a failed RUN left out
  // of the image.
  std::optional<Step> ForgetCompiler(const Rerun& rerun) const {
    static constexpr std::array<std::string_view, 5> kCompilers = {"CC", "CXX", "CUDACXX",
                                                                   "CUDAHOSTCXX", "CUDA_HOME"};
    const auto folder = resolver_.Get("build_folder");
    const Shell shell = ShellOf(resolver_);
    const bool has_cache = folder.has_value() && !resolver_.Get("tool").has_value() &&
                           (shell == Shell::kPosix || shell == Shell::kFish);
    const bool changes_compiler =
        std::any_of(rerun.env.begin(), rerun.env.end(), [](const auto& assignment) {
          return std::find(kCompilers.begin(), kCompilers.end(), assignment.first) !=
                 kCompilers.end();
        });
    if (!has_cache || !changes_compiler) return std::nullopt;
    return Step{absl::StrCat("rm -rf ", ShellQuote(folder->text + "/CMakeCache.txt"), " ",
                             ShellQuote(folder->text + "/CMakeFiles")),
                "CMake keeps the compiler that it found; configure again"};
  }

  // Who cannot become root here can only ask for what needs it.
  void LeaveToAdministrator(Step& step) const {
    if (!resolver_.Get("no_sudo").has_value() || !absl::StrContains(step.run, "sudo ")) return;
    const std::string ask = absl::StrCat("there is no sudo here, ask an administrator for: ",
                                         absl::StrReplaceAll(step.run, {{"sudo ", ""}}));
    step.note = step.note.empty() ? ask : absl::StrCat(ask, "; ", step.note);
    step.run.clear();
  }

  // As it is typed where the user is; empty where it cannot be.
  void InWorld(std::string& run) const {
    if (!run.empty()) run = InShell(run, ShellOf(resolver_)).value_or("");
  }

  // Leaves `step` empty when nothing would be changed though a change was asked for. Where the
  // user's command is not known, a sentence stands in its place.
  void FillRerun(const Rerun& rerun, const Holes& holes, Remedy& remedy, Step& step) {
    std::vector<std::pair<std::string, std::string>> env;
    for (const auto& [name, value] : rerun.env) {
      std::optional<std::string> filled_name = FillTemplate(name, Target::kText, holes.filler());
      std::optional<std::string> filled_value =
          FillTemplate(value, Target::kAssignment, holes.filler());
      if (filled_name.has_value() && filled_value.has_value())
        env.emplace_back(*std::move(filled_name), *std::move(filled_value));
    }
    std::vector<std::string> add;
    for (const std::string& word : rerun.add) {
      if (std::optional<std::string> filled =
              FillTemplate(word, Target::kAssignment, holes.filler()))
        add.push_back(*std::move(filled));
    }
    const std::string jobs =
        FillTemplate(rerun.jobs, Target::kAssignment, holes.filler()).value_or("");
    const bool asks_for_change =
        !rerun.env.empty() || !rerun.add.empty() || !rerun.drop.empty() || !rerun.jobs.empty();
    if (asks_for_change && env.empty() && add.empty() && rerun.drop.empty() && jobs.empty()) {
      step = Step();
      return;
    }
    std::optional<CommandLine> command = OwnCommand(resolver_);
    if (!jobs.empty() && (!command.has_value() || !SetJobs(jobs, *command))) {
      command.reset();
      env.emplace_back("CMAKE_BUILD_PARALLEL_LEVEL", jobs);
      env.emplace_back("MAKEFLAGS", absl::StrCat("-j", jobs));
      add.push_back(absl::StrCat("-j", jobs));
    }
    remedy.env.insert(remedy.env.end(), env.begin(), env.end());
    if (!command.has_value()) {
      std::vector<std::string> with, without;
      for (const std::string& word : add) with.push_back(ShellQuote(word));
      for (const std::string& word : rerun.drop) without.push_back(ShellQuote(word));
      std::string again = "then your command again";
      if (!env.empty()) {
        step.run = "export";
        for (const auto& [name, value] : env)
          absl::StrAppend(&step.run, " ", name, "=", QuoteAssignment(value));
      }
      if (!with.empty()) absl::StrAppend(&again, ", with ", absl::StrJoin(with, " "));
      if (!without.empty()) absl::StrAppend(&again, ", without ", absl::StrJoin(without, " "));
      step.note = step.note.empty() ? again : absl::StrCat(again, "; ", step.note);
      return;
    }
    for (auto& [name, value] : env) {
      const auto same = [&name = name](const auto& known) { return known.first == name; };
      const auto known = std::find_if(command->env.begin(), command->env.end(), same);
      if (known != command->env.end()) {
        known->second = value;
      } else {
        command->env.emplace_back(name, value);
      }
    }
    Drop(rerun.drop, *command);
    for (std::string& word : add) SetWord(std::move(word), *command);
    step.run = WriteCommandLine(*command);
  }

  const RuleSet& rules_;
  const Resolver resolver_;
};

bool HasCommand(const Remedy& remedy) {
  return std::any_of(remedy.steps.begin(), remedy.steps.end(),
                     [](const Step& step) { return !step.run.empty(); });
}

// How many jobs fit and which architectures are kept, as facts: conditions may ask whether that is
// known.
std::vector<Capture> HolesAsFacts(const Holes& holes) {
  std::vector<Capture> facts;
  if (std::optional<HoleValue> archs = holes.Fill("kept_archs"))
    facts.push_back({"kept_archs", ValueType::kArchList, std::move(archs->text)});
  for (const char* name : {"fit_jobs", "fewer_jobs"}) {
    if (std::optional<HoleValue> jobs = holes.Fill(name))
      facts.push_back({name, ValueType::kInteger, std::move(jobs->text)});
  }
  return facts;
}

}  // namespace

absl::Status PlanRemedies(const RuleSet& rules, Finding& finding) {
  Diagnosis& diagnosis = finding.diagnosis;
  const Holes holes(finding.resolver);
  diagnosis.world.shell = NameOf(ShellOf(finding.resolver));
  if (const auto project = finding.resolver.Get("project")) diagnosis.world.project = project->text;
  Planner planner(rules, finding.resolver.With(HolesAsFacts(holes)));
  std::vector<RemedyPlan> plans;
  if (finding.cause != nullptr) {
    diagnosis.title = FillTexts(finding.title, holes.filler());
    if (diagnosis.title.empty()) diagnosis.title = finding.cause->id;
    for (const Texts& avoid : finding.cause->avoid) {
      std::string text = FillTexts(avoid, holes.filler());
      if (!text.empty()) diagnosis.avoid.push_back(std::move(text));
    }
    plans = finding.cause->remedies;
  } else {
    diagnosis.title = diagnosis.evidence.empty()
                          ? "it failed, and the log does not say why"
                          : absl::StrCat("no known cause; the first error is at line ",
                                         diagnosis.evidence.front().line);
    diagnosis.explanation =
        "The log shows a failure, but no rule knows its cause. The first error lines are quoted.";
    RemedyPlan plan;
    plan.id = plan.use = kUnknownFailure;
    plans.push_back(std::move(plan));
  }
  for (const RemedyPlan& plan : plans) {
    if (diagnosis.remedies.size() == kMaxRemedies) break;
    ASSIGN_OR_RETURN(std::optional<Remedy> remedy, planner.Plan(plan));
    if (!remedy.has_value()) continue;
    diagnosis.remedies.push_back(*std::move(remedy));
  }
  if (finding.resolver.Get("no_sudo").has_value()) {
    // What can only be asked for stands behind what can be done.
    std::stable_partition(diagnosis.remedies.begin(), diagnosis.remedies.end(), HasCommand);
  }
  if (!diagnosis.remedies.empty()) diagnosis.remedies.front().preferred = true;
  return absl::OkStatus();
}

}  // namespace cudadoctor

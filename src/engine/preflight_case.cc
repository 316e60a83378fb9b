#include "engine/preflight_case.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/status_macros.h"
#include "base/views.h"
#include "model/build_variables.h"
#include "remedy/holes.h"
#include "remedy/plan.h"
#include "remedy/template.h"

namespace cudadoctor {
namespace {

bool IsTrueWord(const std::string& value) {
  return value == "TRUE" || value == "True" || value == "true" || value == "1";
}

// Of "https://host/o/r/releases/download/v{version}/" the page that lists them all; an address
// without braces stays.
std::string FolderOf(const std::string& pattern) {
  const size_t brace = pattern.find('{');
  if (brace == std::string::npos) return pattern;
  std::string folder = pattern.substr(0, pattern.rfind('/', brace));
  constexpr std::string_view kDownload = "/download";
  if (folder.ends_with(kDownload)) folder.resize(folder.size() - kDownload.size());
  return folder;
}

std::string GpuName(const PreflightCase& check) {
  const std::string name = check.Get("gpu_name");
  return name.empty() ? "the GPU" : name;
}

}  // namespace

Evidence EvidenceOf(std::string_view fact, std::string text) {
  return {0, 0, 0, std::move(text), std::string(fact)};
}

Evidence TorchEvidence(const PreflightCase& check) {
  std::string says = absl::StrCat("torch ", check.Get("torch_version"));
  if (const std::string cuda = check.Get("torch_cuda"); !cuda.empty())
    absl::StrAppend(&says, ", built with CUDA ", cuda);
  return EvidenceOf("torch_version", says + check.Place("torch_version"));
}

Evidence GpuEvidence(const PreflightCase& check, const std::string& capability) {
  return EvidenceOf("gpu_capability",
                    absl::StrCat(GpuName(check), " has compute capability ", capability));
}

std::vector<std::string> Capabilities(const PreflightCase& check) {
  std::vector<std::string> values;
  for (const Fact* fact : check.All("gpu_capability")) values.push_back(fact->value);
  if (values.empty() && check.Has("gpu_capability")) values.push_back(check.Get("gpu_capability"));
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

std::string Sm(const std::string& capability) {
  return absl::StrCat("sm_", absl::StrReplaceAll(capability, {{".", ""}}));
}

PreflightCase::PreflightCase(const RuleSet& rules, const PreflightInput& input)
    : rules_(rules),
      input_(input),
      knowledge_([&rules](std::string_view name) { return rules.KnowledgeText(name); }),
      resolver_(facts_, rules.derived(), knowledge_) {
  entry_ = knowledge_.Package(input.requirement.package);
  is_known_ = entry_ != nullptr;
  ReadFacts();
  if (is_known_) {
    build_ = ReadPackageBuild(*entry_, input.requirement.version, Get("gpu_capability"));
  } else {
    build_.name = input.requirement.package;
    build_.modules = {"torch", "setuptools"};
  }
  ChooseWay();
  if (input.no_build_isolation || MustBeUnisolated())
    AddFact("no_build_isolation", ValueType::kFlag, "yes");
  AddFact("command", ValueType::kCommand,
          WriteCommandLine(InstallCommand(Has("no_build_isolation"))));
}

void PreflightCase::AddFact(std::string_view name, ValueType type, std::string_view value) {
  std::optional<std::string> normal = Normalize(type, value);
  if (normal.has_value())
    facts_.Add({std::string(name), type, *std::move(normal), Origin::kHost, 0, 0});
}

void PreflightCase::ReadFacts() {
  // What the question itself says comes first: a machine has no package.
  for (const Fact& fact : input_.host_facts) {
    if (fact.name != "package" && fact.name != "package_version" && fact.name != "command")
      facts_.Add(fact);
  }
  is_whole_ = Has("os") && Has("kernel_version");
  AddFact("package", ValueType::kPackage, input_.requirement.package);
  AddFact("package_version", ValueType::kVersion, input_.requirement.version);
  if (!Has("tool")) AddFact("tool", ValueType::kWord, Has("uv_version") ? "uv" : "pip");
  if (input_.variable) {
    for (const Fact& fact : FactsOfBuildVariables(input_.variable)) facts_.Add(fact);
  }
}

std::string PreflightCase::Get(std::string_view fact) const {
  const std::optional<Resolver::Value> value = resolver_.Get(fact);
  return value.has_value() ? value->text : "";
}

std::string PreflightCase::Place(std::string_view fact) const {
  const Fact* found = facts_.Find(fact, 0, 0);
  return found == nullptr || found->at.empty() ? "" : absl::StrCat(" in ", found->at);
}

std::vector<const Fact*> PreflightCase::All(std::string_view name) const {
  std::vector<const Fact*> found;
  for (const Fact& fact : facts_.facts()) {
    if (fact.name == name) found.push_back(&fact);
  }
  return found;
}

std::string PreflightCase::Variable(std::string_view name) const {
  return input_.variable ? input_.variable(name).value_or("") : "";
}

std::string PreflightCase::LookUp(std::string_view question,
                                  const std::vector<std::string>& arguments) const {
  if (arguments.front().empty()) return "";
  return knowledge_.LookUp(question, arguments).value_or("");
}

void PreflightCase::Settle(Way way, std::string says) {
  way_ = way;
  way_says_ = std::move(says);
}

void PreflightCase::ChooseWay() {
  using Pypi = PackageBuild::Pypi;
  const std::string machine = Get("machine");
  const std::string os = Get("os");
  const bool is_x86_linux =
      (machine.empty() || machine == "x86_64") && (os.empty() || os == "linux");
  if (!is_known_) {
    return Settle(Way::kUnknown,
                  absl::StrCat(build_.name,
                               " is not in cudadoctor's tables: checked as a PyTorch "
                               "extension with CUDA code that is compiled here"));
  }
  for (const std::string& variable : build_.compile_variables) {
    if (IsTrueWord(Variable(variable)))
      return Settle(Way::kCompiled, absl::StrCat(variable, " is set: it is compiled here"));
  }
  if (!build_.compiles)
    return Settle(Way::kPure,
                  absl::StrCat("a plain install of ", build_.name, " compiles nothing"));
  if (build_.pypi == Pypi::kPure)
    return Settle(Way::kPure, build_.note.empty() ? "nothing is compiled at install" : build_.note);
  if (build_.pypi == Pypi::kWheel && is_x86_linux)
    return Settle(Way::kWheel, "PyPI has a compiled wheel for Linux x86_64: nothing is compiled");
  const std::string torch = Get("torch_version");
  const std::string cuda = Get("torch_cuda");
  const std::string python = Get("python_version");
  if (!torch.empty() && !cuda.empty() && !python.empty()) {
    const std::optional<OwnWheel> wheel =
        FindOwnWheel(*entry_, {input_.requirement.version, torch, cuda, python});
    const std::string combination =
        absl::StrCat("torch ", torch.substr(0, torch.find('+')), ", CUDA ", cuda, " and Python ",
                     ApplyFilter("minor", python).value_or(python));
    if (wheel.has_value() && wheel->is_there && is_x86_linux) {
      return Settle(Way::kWheel, absl::StrCat("its releases have a wheel for ", combination,
                                              ", which setup.py takes by itself; it is compiled "
                                              "where that cannot be reached"));
    }
    if (wheel.has_value() && !wheel->is_there) {
      other_wheels_ = wheel->covers;
      return Settle(Way::kCompiled,
                    absl::StrCat("no prebuilt wheel for ", combination, ": it is compiled here"));
    }
  }
  if (build_.pypi == Pypi::kNothing) {
    return Settle(Way::kCompiled, absl::StrCat("it is not on PyPI: it is compiled from ",
                                               "https://github.com/", build_.repository));
  }
  if (build_.wheels_at.empty()) return Settle(Way::kCompiled, "it is compiled here");
  Settle(Way::kUnknown,
         absl::StrCat("it is compiled here, unless a prebuilt wheel fits; those are at ",
                      FolderOf(build_.wheels_at)));
}

bool PreflightCase::MustBeUnisolated() const {
  return build_.imports_torch && way_ != Way::kPure && build_.pypi != PackageBuild::Pypi::kWheel;
}

CommandLine PreflightCase::InstallCommand(bool no_build_isolation) const {
  CommandLine command;
  if (Get("tool") == "uv") command.words.push_back("uv");
  command.words.insert(command.words.end(), {"pip", "install"});
  // A package of the same name that is on PyPI is another project's.
  command.words.push_back(build_.pypi == PackageBuild::Pypi::kNothing && !build_.repository.empty()
                              ? absl::StrCat("git+https://github.com/", build_.repository)
                              : input_.requirement.text);
  if (no_build_isolation) command.words.push_back("--no-build-isolation");
  return command;
}

absl::Status PreflightCase::AddOfBuild(Suspicion suspicion) {
  if (way_ == Way::kWheel || way_ == Way::kPure) suspicion.role = Role::kLatent;
  if (way_ != Way::kCompiled)
    suspicion.confidence = std::min(suspicion.confidence, Confidence::kLikely);
  return Add(std::move(suspicion));
}

absl::Status PreflightCase::Add(Suspicion suspicion) {
  const RuleFile* file = rules_.Find(suspicion.cause);
  if (file == nullptr || file->kind != FileKind::kCause) {
    return absl::InvalidArgumentError(absl::StrCat("no rule is called ", suspicion.cause,
                                                   "; rules in --rules may not remove it"));
  }
  ASSIGN_OR_RETURN(const Cause* cause,
                   rules_.CauseOf(static_cast<int>(file - rules_.files().data())));
  if (!is_known_) suspicion.confidence = std::min(suspicion.confidence, Confidence::kPossible);
  Finding finding{.diagnosis = {},
                  .cause = cause,
                  .title = cause->title,
                  .resolver = resolver_.At(0, 0, suspicion.captures)};
  for (const Signature& signature : cause->signatures) {
    if (signature.name == suspicion.signature && !signature.title.empty())
      finding.title = signature.title;
  }
  if (!suspicion.title.empty()) finding.title = {std::move(suspicion.title)};
  Diagnosis& diagnosis = finding.diagnosis;
  diagnosis.cause = cause->id;
  diagnosis.group = cause->group;
  diagnosis.role = suspicion.role;
  diagnosis.confidence = suspicion.confidence;
  diagnosis.retry = cause->retry;
  diagnosis.package = input_.requirement.package;
  diagnosis.package_version = input_.requirement.version;
  diagnosis.explanation = cause->explanation;
  diagnosis.evidence = std::move(suspicion.evidence);
  for (const Reference& reference : cause->references)
    diagnosis.references.push_back(reference.url);
  RETURN_IF_ERROR(PlanRemedies(rules_, finding));
  (diagnosis.role == Role::kRoot ? roots_ : others_).push_back(std::move(finding));
  return absl::OkStatus();
}

// The environment of every preferred remedy, and of the jobs that fit, in one command.
void PreflightCase::WriteCommand(const std::vector<Finding>& findings, PackageCheck& check) const {
  CommandLine command = InstallCommand(Has("no_build_isolation"));
  const auto set = [&command](const std::string& name, const std::string& value) {
    const bool is_set = std::any_of(command.env.begin(), command.env.end(),
                                    [&name](const auto& known) { return known.first == name; });
    if (!is_set && !value.empty()) command.env.emplace_back(name, value);
  };
  for (const Finding& finding : findings) {
    if (finding.diagnosis.remedies.empty()) continue;
    for (const auto& [name, value] : finding.diagnosis.remedies.front().env) set(name, value);
  }
  if (way_ == Way::kCompiled || (way_ == Way::kUnknown && is_known_)) {
    const Holes holes(resolver_);
    const auto fill = [&holes](std::string_view name) {
      const std::optional<HoleValue> value = holes.Fill(name);
      return value.has_value() ? value->text : std::string();
    };
    const std::string archs = Has("arch_list") ? "" : fill("gpu_archs");
    if (const std::string name = fill("arch_variable"); !name.empty() && Variable(name).empty())
      set(name, archs);
    // A number that the user chose and that fits stays.
    if (!Has("max_jobs")) {
      set(fill("jobs_variable"), fill("fit_jobs"));
      check.command_why = fill("fit_why");
    }
  }
  check.command = WriteCommandLine(command);
}

absl::StatusOr<PackageCheck> PreflightCase::Finish() {
  PackageCheck check;
  check.requirement = input_.requirement.text;
  check.package = input_.requirement.package;
  check.version = input_.requirement.version;
  check.is_known = is_known_;
  check.way = way_;
  check.way_says = way_says_;
  check.unchecked = std::move(unchecked_);
  WriteCommand(roots_, check);
  for (std::vector<Finding>* list : {&roots_, &others_}) {
    for (Finding& finding : *list) check.diagnoses.push_back(std::move(finding.diagnosis));
  }
  return check;
}

}  // namespace cudadoctor

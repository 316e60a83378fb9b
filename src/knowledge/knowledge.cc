#include "knowledge/knowledge.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "base/views.h"
#include "json/json.h"
#include "model/value.h"
#include "re2/re2.h"

namespace cudadoctor {
namespace {

using Answer = std::optional<std::string>;

constexpr std::string_view kYes = "yes";
constexpr std::string_view kNo = "no";

Answer YesNo(bool answer) { return std::string(answer ? kYes : kNo); }

// Of what a table may lack.
const Json* Member(const Json* object, std::string_view key) {
  return object == nullptr ? nullptr : cudadoctor::Member(*object, key);
}

Answer StringMember(const Json* object, const char* key) {
  const Json* member = Member(object, key);
  if (member == nullptr) return std::nullopt;
  if (member->is_string()) return member->get<std::string>();
  if (member->is_number_integer()) return std::to_string(member->get<int64_t>());
  return std::nullopt;
}

double NumberMember(const Json* object, const char* key, double otherwise) {
  const Json* member = Member(object, key);
  return member == nullptr || !member->is_number() ? otherwise : member->get<double>();
}

// "12.8.93" to "12.8".
std::string MajorMinor(std::string_view version) {
  version = version.substr(0, version.find('+'));
  const size_t first = version.find('.');
  if (first == std::string_view::npos) return std::string(version);
  return std::string(version.substr(0, version.find('.', first + 1)));
}

std::string Base(std::string_view version) {
  return std::string(version.substr(0, version.find('+')));
}

// The digits and the letter of an architecture: "sm_90a" and "9.0a+PTX" to "90a".
Answer SmNumber(std::string_view architecture) {
  const Answer capability = Capability(architecture);
  if (!capability.has_value()) return std::nullopt;
  std::string number = absl::StrReplaceAll(*capability, {{".", ""}});
  const std::string_view plain = architecture.substr(0, architecture.find('+'));
  if (!plain.empty() && (plain.back() == 'a' || plain.back() == 'f'))
    number.push_back(plain.back());
  return number;
}

// Whether machine code for capability `built` runs on a device of capability `device`.
bool RunsOn(std::string_view built, std::string_view device) {
  return CompareVersions(built, device, VersionPart::kMajor) == 0 &&
         CompareVersions(built, device) <= 0;
}

// "cu128" to "12.8"; nothing for a tag that names no CUDA.
Answer CudaOfTag(std::string_view tag) {
  if (!absl::StartsWith(Absl(tag), "cu")) return std::nullopt;
  tag.remove_prefix(2);
  size_t digits = 0;
  while (digits < tag.size() && absl::ascii_isdigit(static_cast<unsigned char>(tag[digits])))
    ++digits;
  tag = tag.substr(0, digits);
  if (tag.size() < 2 || tag.size() > 3) return std::nullopt;
  return absl::StrCat(Absl(tag.substr(0, tag.size() - 1)), ".", Absl(tag.substr(tag.size() - 1)));
}

}  // namespace

Knowledge::Knowledge(std::function<std::string_view(std::string_view)> text_of)
    : text_of_(std::move(text_of)) {}

Knowledge::~Knowledge() = default;

const Json& Knowledge::Table(std::string_view name) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  auto found = tables_.find(name);
  if (found == tables_.end()) {
    absl::StatusOr<Json> table = ParseJson(text_of_(name), name);
    auto value = std::make_unique<const Json>(table.ok() ? *std::move(table) : Json::object());
    found = tables_.emplace(std::string(name), std::move(value)).first;
  }
  return *found->second;
}

const Json* Knowledge::Toolkit(std::string_view version) const {
  const Json* toolkits = Member(&Table("cuda_toolkits"), "toolkits");
  if (toolkits == nullptr) return nullptr;
  const std::string wanted = MajorMinor(version);
  for (const Json& toolkit : *toolkits) {
    if (StringMember(&toolkit, "version") == wanted) return &toolkit;
  }
  return nullptr;
}

const Json* Knowledge::TorchRelease(std::string_view version) const {
  const Json* releases = Member(&Table("torch_releases"), "torch");
  if (releases == nullptr) return nullptr;
  const std::string wanted = MajorMinor(version);
  for (const Json& release : *releases) {
    if (StringMember(&release, "version") == wanted) return &release;
  }
  return nullptr;
}

const Json* Knowledge::Package(std::string_view name) const {
  const Json* packages = Member(&Table("packages"), "packages");
  if (packages == nullptr) return nullptr;
  const std::string wanted = PackageKey(name);
  for (const Json& package : *packages) {
    const Answer known = StringMember(&package, "name");
    const Answer import_name = StringMember(&package, "import_name");
    if (known.has_value() && PackageKey(*known) == wanted) return &package;
    if (import_name.has_value() && PackageKey(*import_name) == wanted) return &package;
  }
  return nullptr;
}

Answer Knowledge::LookUp(std::string_view name, const std::vector<std::string>& arguments) const {
  const auto found = Questions().find(name);
  if (found == Questions().end() || arguments.empty()) return std::nullopt;
  return (this->*found->second)(arguments);
}

bool Knowledge::IsLookup(std::string_view name) {
  return Questions().find(name) != Questions().end();
}

const std::map<std::string, Knowledge::Question, std::less<>>& Knowledge::Questions() {
  static const auto* const questions = new std::map<std::string, Question, std::less<>>{
      {"toolkit-compiles", &Knowledge::ToolkitCompiles},
      {"min-toolkit", &Knowledge::MinToolkit},
      {"max-toolkit", &Knowledge::MaxToolkit},
      {"toolkit-max-gcc", &Knowledge::ToolkitMaxGcc},
      {"min-toolkit-for-gcc", &Knowledge::MinToolkitForGcc},
      {"gpu-capability", &Knowledge::GpuCapability},
      {"torch-has-arch", &Knowledge::TorchHasArch},
      {"torch-archs", &Knowledge::TorchArchs},
      {"torch-cxx", &Knowledge::TorchCxx},
      {"torch-cuda", &Knowledge::TorchCuda},
      {"torch-companion", &Knowledge::TorchCompanion},
      {"min-torch-for-arch", &Knowledge::MinTorchForArch},
      {"torch-cuda-for-toolkit", &Knowledge::TorchCudaForToolkit},
      {"torch-index-exists", &Knowledge::TorchIndexExists},
      {"package-of-module", &Knowledge::PackageOfModule},
      {"package-ignores", &Knowledge::PackageIgnores},
      {"package-reads-arch-list", &Knowledge::PackageReadsArchList},
      {"package-on-pypi", &Knowledge::PackageOnPypi},
      {"arch-variable", &Knowledge::ArchVariable},
      {"jobs-variable", &Knowledge::JobsVariable},
      {"header-package", &Knowledge::HeaderPackage},
      {"library-package", &Knowledge::LibraryPackage},
      {"min-driver", &Knowledge::MinDriver},
      {"path-toolkit", &Knowledge::PathToolkit},
      {"arch-list-covers", &Knowledge::ArchListCovers},
  };
  return *questions;
}

Answer Knowledge::ToolkitCompiles(const std::vector<std::string>& arguments) const {
  if (arguments.size() < 2) return std::nullopt;
  const Json* toolkit = Toolkit(arguments[0]);
  const Json* sm = Member(toolkit, "sm");
  const Json* list = Member(sm, "list");
  const Answer number = SmNumber(arguments[1]);
  if (list == nullptr || !number.has_value()) return std::nullopt;
  return YesNo(std::find(list->begin(), list->end(), *number) != list->end());
}

Answer Knowledge::MinToolkit(const std::vector<std::string>& arguments) const {
  const Answer capability = Capability(arguments[0]);
  const Json* known = Member(&Table("gpus"), "compute_capabilities");
  if (!capability.has_value()) return std::nullopt;
  return StringMember(Member(known, capability->c_str()), "min_cuda");
}

Answer Knowledge::MaxToolkit(const std::vector<std::string>& arguments) const {
  const Answer capability = Capability(arguments[0]);
  const Json* known = Member(&Table("gpus"), "compute_capabilities");
  if (!capability.has_value()) return std::nullopt;
  return StringMember(Member(known, capability->c_str()), "max_cuda");
}

Answer Knowledge::ToolkitMaxGcc(const std::vector<std::string>& arguments) const {
  return StringMember(Member(Toolkit(arguments[0]), "gcc"), "max");
}

Answer Knowledge::MinToolkitForGcc(const std::vector<std::string>& arguments) const {
  const Json* toolkits = Member(&Table("cuda_toolkits"), "toolkits");
  if (toolkits == nullptr) return std::nullopt;
  Answer best;
  for (const Json& toolkit : *toolkits) {
    const Answer limit = StringMember(Member(&toolkit, "gcc"), "max");
    const Answer version = StringMember(&toolkit, "version");
    if (!limit.has_value() || !version.has_value()) continue;
    if (CompareVersions(*limit, arguments[0], VersionPart::kMajor) < 0) continue;
    if (!best.has_value() || CompareVersions(*version, *best) < 0) best = version;
  }
  return best;
}

Answer Knowledge::GpuCapability(const std::vector<std::string>& arguments) const {
  const Json* patterns = Member(&Table("gpus"), "patterns");
  if (patterns == nullptr) return std::nullopt;
  RE2::Options options;
  options.set_case_sensitive(false);
  options.set_log_errors(false);
  for (const Json& entry : *patterns) {
    const Answer pattern = StringMember(&entry, "pattern");
    if (pattern.has_value() && RE2::PartialMatch(arguments[0], RE2(*pattern, options)))
      return StringMember(&entry, "cc");
  }
  return std::nullopt;
}

// The build of a release that a local version names ("2.8.0+cu126"); PyPI's for a plain version.
const Json* Knowledge::TorchVariant(const std::string& version) const {
  const Json* release = TorchRelease(version);
  const Json* variants = Member(release, "cuda_variants");
  if (variants == nullptr) return nullptr;
  const size_t plus = version.find('+');
  const Answer tag = plus == std::string::npos ? StringMember(release, "pypi_default_linux_x86_64")
                                               : Answer(version.substr(plus + 1));
  for (const Json& variant : *variants) {
    if (StringMember(&variant, "tag") == tag) return &variant;
  }
  return nullptr;
}

Answer Knowledge::TorchHasArch(const std::vector<std::string>& arguments) const {
  if (arguments.size() < 2) return std::nullopt;
  const Json* variant = TorchVariant(arguments[0]);
  const Json* archs = Member(variant, "archs");
  const Answer wanted = Capability(arguments[1]);
  if (archs == nullptr || !wanted.has_value()) return std::nullopt;
  for (const Json& arch : *archs) {
    if (arch.is_string() && RunsOn(arch.get<std::string>(), *wanted)) return YesNo(true);
  }
  const Answer ptx = StringMember(variant, "ptx");
  return YesNo(ptx.has_value() && CompareVersions(*ptx, *wanted) <= 0);
}

// What a torch build holds code for, as torch prints it: torch-archs(torch_version).
Answer Knowledge::TorchArchs(const std::vector<std::string>& arguments) const {
  const Json* archs = Member(TorchVariant(arguments[0]), "archs");
  if (archs == nullptr) return std::nullopt;
  std::vector<std::string> names;
  for (const Json& arch : *archs) {
    const Answer number = arch.is_string() ? SmNumber(arch.get<std::string>()) : std::nullopt;
    if (number.has_value()) names.push_back(absl::StrCat("sm_", *number));
  }
  return absl::StrJoin(names, ";");
}

// The C++ standard that a torch release's headers need: torch-cxx(torch_version) is 14, 17 or 20.
Answer Knowledge::TorchCxx(const std::vector<std::string>& arguments) const {
  Answer standard =
      StringMember(Member(TorchRelease(arguments[0]), "extension_cxx_standard"), "minimum");
  if (standard.has_value()) standard->erase(0, standard->find_first_of("0123456789"));
  return standard;
}

Answer Knowledge::TorchCuda(const std::vector<std::string>& arguments) const {
  const size_t plus = arguments[0].find('+');
  return plus == std::string::npos ? std::nullopt
                                   : CudaOfTag(std::string_view(arguments[0]).substr(plus + 1));
}

Answer Knowledge::TorchCompanion(const std::vector<std::string>& arguments) const {
  if (arguments.size() < 2) return std::nullopt;
  const Json* pairs = Member(&Table("torch_releases"), "pairs");
  return StringMember(Member(pairs, Base(arguments[0]).c_str()), arguments[1].c_str());
}

Answer Knowledge::MinTorchForArch(const std::vector<std::string>& arguments) const {
  const Answer capability = Capability(arguments[0]);
  const Json* known = Member(&Table("gpus"), "compute_capabilities");
  if (!capability.has_value()) return std::nullopt;
  Answer first = StringMember(Member(Member(known, capability->c_str()), "torch_wheels"), "first");
  if (first.has_value()) first->resize(std::min(first->find(' '), first->size()));
  return first;
}

// Of the builds of one torch release the one that the toolkit's nvcc compiles extensions for: the
// same major version, the newest that is not newer than the toolkit, else the oldest.
Answer Knowledge::TorchCudaForToolkit(const std::vector<std::string>& arguments) const {
  if (arguments.size() < 2) return std::nullopt;
  const Json* variants = Member(TorchRelease(arguments[0]), "cuda_variants");
  if (variants == nullptr) return std::nullopt;
  Answer best;
  for (const Json& variant : *variants) {
    const Answer cuda = StringMember(&variant, "cuda");
    if (!cuda.has_value() || CompareVersions(*cuda, arguments[1], VersionPart::kMajor) != 0)
      continue;
    const bool fits = CompareVersions(*cuda, arguments[1], VersionPart::kMinor) <= 0;
    if (!best.has_value() || (fits && CompareVersions(*cuda, *best) > 0)) best = cuda;
  }
  return best;
}

Answer Knowledge::TorchIndexExists(const std::vector<std::string>& arguments) const {
  const Json* releases = Member(&Table("torch_releases"), "torch");
  if (releases == nullptr || releases->empty()) return std::nullopt;
  const std::string wanted = MajorMinor(arguments[0]);
  for (const Json& release : *releases) {
    const Json* variants = Member(&release, "cuda_variants");
    if (variants == nullptr) continue;
    for (const Json& variant : *variants) {
      if (StringMember(&variant, "cuda") == wanted) return YesNo(true);
    }
  }
  return YesNo(false);
}

Answer Knowledge::PackageOfModule(const std::vector<std::string>& arguments) const {
  const std::string top = arguments[0].substr(0, arguments[0].find('.'));
  // A module without a package of its own on PyPI (apex) is listed with null.
  const Json* modules = Member(&Table("modules"), "modules");
  if (modules != nullptr && modules->contains(top)) {
    return StringMember(Member(modules, top.c_str()), "package");
  }
  if (const Json* package = Package(top)) return StringMember(package, "name");
  return absl::StrReplaceAll(top, {{"_", "-"}});
}

// Whether a package's build takes no notice of an environment variable: package-ignores(package,
// name).
Answer Knowledge::PackageIgnores(const std::vector<std::string>& arguments) const {
  if (arguments.size() < 2) return std::nullopt;
  const Json* ignores = Member(Member(Package(arguments[0]), "arch"), "ignores");
  if (ignores == nullptr) return std::nullopt;
  for (const Json& ignored : *ignores) {
    if (ignored.is_string() && absl::StartsWith(ignored.get<std::string>(), arguments[1])) {
      return YesNo(true);
    }
  }
  return YesNo(false);
}

Answer Knowledge::PackageReadsArchList(const std::vector<std::string>& arguments) const {
  const Json* arch = Member(Package(arguments[0]), "arch");
  if (arch == nullptr) return std::nullopt;
  if (PackageIgnores({arguments[0], "TORCH_CUDA_ARCH_LIST"}) == kYes) return YesNo(false);
  return YesNo(StringMember(arch, "variable") == "TORCH_CUDA_ARCH_LIST");
}

// Where the table says none, PyPI's package of that name is another project's.
Answer Knowledge::PackageOnPypi(const std::vector<std::string>& arguments) const {
  const Answer pypi = StringMember(Package(arguments[0]), "pypi");
  if (!pypi.has_value()) return std::nullopt;
  return *pypi == "none" ? "no" : "yes";
}

Answer Knowledge::ArchVariable(const std::vector<std::string>& arguments) const {
  const Json* package = Package(arguments[0]);
  if (package == nullptr) return std::nullopt;
  Answer variable = StringMember(Member(package, "arch"), "variable");
  if (variable.has_value()) variable->resize(std::min(variable->find(' '), variable->size()));
  return variable;
}

Answer Knowledge::JobsVariable(const std::vector<std::string>& arguments) const {
  const Json* parallelism = Member(Package(arguments[0]), "parallelism");
  Answer variable = StringMember(parallelism, "variable");
  if (!variable.has_value()) return std::nullopt;
  variable->resize(std::min(variable->find_first_of(" ,"), variable->size()));
  if (absl::StartsWith(*variable, "-")) return std::nullopt;
  return variable;
}

bool Knowledge::IsBuildVariable(std::string_view variable) const {
  const Json* packages = Member(&Table("packages"), "packages");
  if (packages == nullptr) return false;
  return std::any_of(packages->begin(), packages->end(), [&](const Json& package) {
    const Answer name = StringMember(&package, "name");
    return name.has_value() &&
           (ArchVariable({*name}) == variable || JobsVariable({*name}) == variable);
  });
}

Answer Knowledge::ProvidedBy(std::string_view kind,
                             const std::vector<std::string>& arguments) const {
  if (arguments.size() < 2) return std::nullopt;
  const Json* entries = Member(&Table("headers"), std::string(kind).c_str());
  Answer name = StringMember(Member(entries, arguments[0].c_str()), arguments[1].c_str());
  if (!name.has_value() || !absl::StrContains(*name, "{cuda}")) return name;
  if (arguments.size() < 3) return std::nullopt;
  const std::string dashed = absl::StrReplaceAll(MajorMinor(arguments[2]), {{".", "-"}});
  return absl::StrReplaceAll(*name, {{"{cuda}", dashed}});
}

Answer Knowledge::HeaderPackage(const std::vector<std::string>& arguments) const {
  return ProvidedBy("headers", arguments);
}

Answer Knowledge::LibraryPackage(const std::vector<std::string>& arguments) const {
  return ProvidedBy("libraries", arguments);
}

Answer Knowledge::MinDriver(const std::vector<std::string>& arguments) const {
  const Json* toolkit = Toolkit(arguments[0]);
  if (Answer series = StringMember(Member(toolkit, "driver_minor_compat_min"), "linux"))
    return series;
  const Json* releases = Member(toolkit, "releases");
  return releases == nullptr || releases->empty() ? std::nullopt
                                                  : StringMember(&(*releases)[0], "driver_linux");
}

Answer Knowledge::PathToolkit(const std::vector<std::string>& arguments) const {
  static const RE2* const pattern =
      new RE2(R"((?i)(?:cuda[-_/\\]v?|/)(\d{1,2}\.\d{1,2})(?:[./\\]|$))");
  std::string version;
  if (!RE2::PartialMatch(arguments[0], *pattern, &version)) return std::nullopt;
  return version;
}

// Whether code built for a list of architectures runs on a device: arch-list-covers(arch_list,
// capability).
Answer Knowledge::ArchListCovers(const std::vector<std::string>& arguments) const {
  if (arguments.size() < 2) return std::nullopt;
  const Answer device = Capability(arguments[1]);
  if (!device.has_value()) return std::nullopt;
  for (const absl::string_view entry : absl::StrSplit(arguments[0], ';', absl::SkipEmpty())) {
    const Answer built = Capability(Std(entry));
    if (!built.has_value()) return std::nullopt;  // a name such as Blackwell or native
    const bool is_specific = absl::EndsWithIgnoreCase(entry, "a");
    const bool same = CompareVersions(*built, *device) == 0;
    if (same || (!is_specific && RunsOn(*built, *device))) return YesNo(true);
    if (absl::EndsWithIgnoreCase(entry, "+PTX") && CompareVersions(*built, *device) <= 0)
      return YesNo(true);
  }
  return YesNo(false);
}

std::optional<JobMemory> Knowledge::MemoryOfJob(std::string_view package) const {
  const Json* model = Member(Member(Package(package), "memory"), "model");
  if (model == nullptr) return std::nullopt;
  JobMemory memory;
  memory.base_gib = NumberMember(model, "base_gib", 0);
  memory.gib_per_compiler = NumberMember(model, "gib_per_compiler", 0);
  memory.default_nvcc_threads = static_cast<int>(NumberMember(model, "default_nvcc_threads", 1));
  memory.default_architectures = static_cast<int>(NumberMember(model, "default_architectures", 1));
  if (memory.gib_per_compiler <= 0) return std::nullopt;
  return memory;
}

}  // namespace cudadoctor

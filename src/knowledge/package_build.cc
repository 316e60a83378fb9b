#include "knowledge/package_build.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/views.h"
#include "json/json.h"
#include "model/value.h"

namespace cudadoctor {
namespace {

bool IsTrue(const Json& object, std::string_view key) {
  const Json* member = Member(object, key);
  return member != nullptr && member->is_boolean() && member->get<bool>();
}

int NumberMember(const Json& object, std::string_view key) {
  const Json* member = Member(object, key);
  return member != nullptr && member->is_number_integer() ? member->get<int>() : 0;
}

// The version in front of a remark: "12.0 (memory)".
std::optional<Demand> ReadDemand(const std::string& text) {
  Demand demand;
  demand.version = text.substr(0, text.find_first_not_of("0123456789."));
  demand.is_sure = !absl::StrContains(text, "memory");
  if (demand.version.empty()) return std::nullopt;
  return demand;
}

// The distribution of a requirement with remarks: "pybind11[global]", "setuptools<81 (pkg_…)".
std::string DistributionOf(const std::string& requirement) {
  return requirement.substr(0, requirement.find_first_of("[<>=!~( ;"));
}

// "2.8.3.post1" against "2.8.3": CompareVersions reads the numbers, a post release comes after.
int ComparePost(std::string_view a, std::string_view b) {
  if (const int order = CompareVersions(a, b); order != 0) return order;
  const auto post = [](std::string_view version) {
    const size_t found = version.find("post");
    return found == std::string_view::npos ? std::string_view() : version.substr(found + 4);
  };
  return CompareVersions(post(a), post(b));
}

// Whether `version` is in a list such as "2.1–2.5, 2.6.dev"; parts with words are not looked at.
bool IsInRanges(std::string_view version, const std::string& ranges, VersionPart part) {
  const auto compare = [part](std::string_view a, std::string_view b) {
    return part == VersionPart::kAll ? ComparePost(a, b) : CompareVersions(a, b, part);
  };
  for (const absl::string_view range : absl::StrSplit(ranges, ", ")) {
    const std::vector<std::string> ends = absl::StrSplit(range, "–");
    const auto is_version = [](const std::string& end) {
      return !end.empty() && absl::ascii_isdigit(static_cast<unsigned char>(end[0])) &&
             !absl::StrContains(end, "dev");
    };
    if (!std::all_of(ends.begin(), ends.end(), is_version)) continue;
    if (compare(version, ends.front()) >= 0 && compare(version, ends.back()) <= 0) return true;
  }
  return false;
}

void ReadCuda(const Json& entry, std::string_view version, std::string_view capability,
              PackageBuild& build) {
  const Json* table = Member(entry, "min_cuda");
  if (table == nullptr || !table->is_object()) return;
  build.min_cuda = ReadDemand(TextMember(*table, "value"));
  if (const Json* versions = Member(*table, "by_version"); versions != nullptr) {
    for (const auto& [limit, cuda] : versions->items()) {
      if (!version.empty() && absl::StartsWith(limit, "<=") && cuda.is_string() &&
          ComparePost(version, std::string_view(limit).substr(2)) <= 0)
        build.min_cuda = ReadDemand(cuda.get<std::string>());
    }
  }
  if (capability.empty()) return;
  if (const Json* by_sm = Member(*table, "by_sm"); by_sm != nullptr) {
    if (const std::string cuda = TextMember(*by_sm, capability); !cuda.empty())
      build.min_cuda = ReadDemand(cuda);
  }
  const std::string blackwell = TextMember(*table, "blackwell");
  if (!blackwell.empty() && CompareVersions(capability, "10.0") >= 0)
    build.min_cuda = ReadDemand(blackwell);
}

}  // namespace

PackageBuild ReadPackageBuild(const Json& entry, std::string_view version,
                              std::string_view capability) {
  PackageBuild build;
  build.name = TextMember(entry, "name");
  build.repository = TextMember(entry, "repo");
  build.repository.resize(std::min(build.repository.find(' '), build.repository.size()));
  const std::string pypi = TextMember(entry, "pypi");
  build.pypi = pypi == "wheel"   ? PackageBuild::Pypi::kWheel
               : pypi == "pure"  ? PackageBuild::Pypi::kPure
               : pypi == "sdist" ? PackageBuild::Pypi::kSources
               : pypi == "none"  ? PackageBuild::Pypi::kNothing
                                 : PackageBuild::Pypi::kUnknown;
  build.compiles = Member(entry, "compiles") == nullptr || IsTrue(entry, "compiles");
  if (const Json* variables = Member(entry, "env"); variables != nullptr) {
    for (const Json& variable : *variables) {
      if (TextMember(variable, "when_true") == "compiles")
        build.compile_variables.push_back(TextMember(variable, "name"));
    }
  }
  build.imports_torch = IsTrue(entry, "no_build_isolation");
  build.isolates_torch = IsTrue(entry, "isolated_torch");
  if (Member(entry, "has_pyproject") != nullptr)
    build.has_pyproject = IsTrue(entry, "has_pyproject");
  build.is_cuda_optional = IsTrue(entry, "cuda_optional");
  build.compares_minor = TextMember(entry, "cuda_check") == "minor";
  if (const Json* requires_list = Member(entry, "build_requires"); requires_list != nullptr) {
    for (const Json& requirement : *requires_list) {
      if (requirement.is_string())
        build.modules.push_back(DistributionOf(requirement.get<std::string>()));
    }
  }
  ReadCuda(entry, version, capability, build);
  if (const Json* archs = Member(entry, "supported_sm"); archs != nullptr) {
    for (const Json& arch : *archs) {
      if (!arch.is_string()) continue;
      if (std::optional<std::string> known = Capability("sm_" + arch.get<std::string>()))
        build.gpu_archs.push_back(*std::move(known));
    }
  }
  if (const Json* fixed = Member(entry, "cxx_fixed"); fixed != nullptr) {
    const std::string checked =
        version.empty() ? TextMember(entry, "latest") : std::string(version);
    if (ComparePost(checked, TextMember(*fixed, "up_to")) <= 0)
      build.fixed_cxx = TextMember(*fixed, "standard");
  }
  if (const Json* pins = Member(entry, "torch_pins"); pins != nullptr) {
    const std::string pin = TextMember(*pins, version);
    const bool is_exact = pin.find_first_not_of("0123456789.") == std::string::npos;
    if (is_exact) build.torch_pin = pin;
  }
  if (const Json* wheels = Member(entry, "wheels"); wheels != nullptr)
    build.wheels_at = TextMember(*wheels, "where");
  build.note = TextMember(entry, "note");
  if (const Json* parallelism = Member(entry, "parallelism"); parallelism != nullptr) {
    if (const Json* jobs = Member(*parallelism, "default"); jobs != nullptr) {
      build.cpus_per_job = NumberMember(*jobs, "cpus_per_job");
      build.gib_per_job = NumberMember(*jobs, "gib_per_job");
    }
  }
  return build;
}

std::optional<OwnWheel> FindOwnWheel(const Json& entry, const WheelWanted& wanted) {
  const Json* wheels = Member(entry, "wheels");
  const Json* rows = wheels == nullptr ? nullptr : Member(*wheels, "by_version");
  if (rows == nullptr) return std::nullopt;
  const std::string version = wanted.version.empty() ? TextMember(entry, "latest") : wanted.version;
  for (const Json& row : *rows) {
    if (!IsInRanges(version, TextMember(row, "versions"), VersionPart::kAll)) continue;
    const Json* tags = Member(row, "cuda");
    if (tags == nullptr || !tags->is_array()) return std::nullopt;
    // A tag names the major version, or in older releases major and minor, of which any of the same
    // major version serves.
    const std::string major = absl::StrCat("cu", wanted.cuda.substr(0, wanted.cuda.find('.')));
    std::vector<std::string> names;
    for (const Json& tag : *tags) {
      if (tag.is_string()) names.push_back(tag.get<std::string>());
    }
    const bool has_cuda = std::any_of(names.begin(), names.end(), [&major](const std::string& tag) {
      return absl::StartsWith(tag, major);
    });
    const std::string torch = TextMember(row, "torch");
    const std::string python = TextMember(row, "python");
    return OwnWheel{
        has_cuda && IsInRanges(wanted.torch, torch, VersionPart::kMinor) &&
            IsInRanges(wanted.python, python, VersionPart::kMinor),
        absl::StrCat("torch ", torch, ", ", absl::StrJoin(names, " and "), ", Python ", python)};
  }
  return std::nullopt;
}

}  // namespace cudadoctor

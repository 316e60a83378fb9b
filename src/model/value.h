// model/value.h: the types of captured values. A value from a log is untrusted text until it fits
// one.
#ifndef CUDADOCTOR_MODEL_VALUE_H_
#define CUDADOCTOR_MODEL_VALUE_H_

#include <optional>
#include <string>
#include <string_view>

namespace cudadoctor {

// The types of a capture, named in rules as in TypeName().
enum class ValueType {
  kVersion,       // 12.8, 2.10.0+cu128
  kPackage,       // a distribution's name as PyPI allows it, with '-' for '_'
  kModule,        // dotted Python name
  kPath,          // may hold blanks
  kFile,          // a file's name, without blanks
  kArchitecture,  // sm_120, compute_90a, 9.0+PTX, 12.0
  kArchList,      // architectures separated by ';', ',' or blanks; kept with ';'
  kInteger,       // decimal, at most 18 digits, perhaps negative
  kSize,          // memory or disk, kept in GiB with at most one decimal: 24.4
  kSymbol,        // a linker symbol
  kLibrary,       // cudart, as in -lcudart
  kHeader,        // cuda_runtime.h, THC/THC.h
  kWord,
  kUrl,
  kRequirement,  // torch==2.10.0, "setuptools>=61,<80"
  kGpuName,      // NVIDIA GeForce RTX 5090
  kCommand,      // a command line; enters a command only through remedy/command_line.h
  kFlag,         // yes
  kText,         // anything printable; never enters a command
};

// The type that rules call `name`; nothing for an unknown name.
std::optional<ValueType> TypeFromName(std::string_view name);
std::string_view TypeName(ValueType type);

// `raw` in the type's normal form, or nothing when it does not fit: a value of a type other than
// kText and kCommand holds no quotes, control characters or shell operators.
std::optional<std::string> Normalize(ValueType type, std::string_view raw);

// A distribution's name as an index compares it, in lower case with one '-' for each run of '-',
// '_' and '.': "Flash_Attn" is "flash-attn".
std::string PackageKey(std::string_view name);

// Whether a value of this type may be put into a command.
bool MayEnterCommand(ValueType type);

// Which leading components CompareVersions looks at.
enum class VersionPart { kMajor, kMinor, kAll };

// Negative, zero or positive as `a` is older than, equal to or newer than `b`. Numbers are compared
// component by component, missing ones count as 0 (12.8 equals 12.8.0); what follows a '+' is
// ignored.
int CompareVersions(std::string_view a, std::string_view b, VersionPart part = VersionPart::kAll);

// The compute capability of an architecture in any spelling, as "12.0" ("sm_90a" gives "9.0");
// nothing when it names none ("native").
std::optional<std::string> Capability(std::string_view architecture);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_MODEL_VALUE_H_

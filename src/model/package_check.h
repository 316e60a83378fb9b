// model/package_check.h: what would stop the installation of a package, as plain data.
// docs/check.schema.json is the schema of its JSON.
#ifndef CUDADOCTOR_MODEL_PACKAGE_CHECK_H_
#define CUDADOCTOR_MODEL_PACKAGE_CHECK_H_

#include <algorithm>
#include <string>
#include <vector>

#include "model/report.h"

namespace cudadoctor {

// How the package gets onto the machine.
enum class Way {
  kUnknown,   // compiled here, unless a prebuilt wheel is found
  kWheel,     // a prebuilt wheel
  kPure,      // nothing is compiled at install
  kCompiled,  // compiled here
};

// One package against the facts of one machine. Nothing has failed: evidence is what the machine
// states, with line 0 and the fact's name as its pattern, and a diagnosis has no symptoms and no
// units. Its role is root where it would stop the installation (or leave a package that cannot run
// here), latent where it is worth knowing.
struct PackageCheck {
  std::string requirement;  // as it was asked: "flash-attn==2.8.3"
  std::string package;      // in PyPI's normal form
  std::string version;      // empty when the requirement names none
  bool is_known = false;    // packages.json has an entry
  Way way = Way::kUnknown;
  std::string way_says;                // the same in words, with its reason
  std::vector<Diagnosis> diagnoses;    // roots first, in the order in which a build meets them
  std::vector<std::string> unchecked;  // what the facts do not tell, and so was not checked
  std::string command;                 // that installs it, once the roots are mended
  std::string command_why;             // the numbers behind it; may be empty

  // Whether a root is more than possible. Those of a package that is not known never are: nobody
  // knows that it is compiled.
  bool would_stop() const {
    return std::any_of(diagnoses.begin(), diagnoses.end(), [](const Diagnosis& diagnosis) {
      return diagnosis.role == Role::kRoot && diagnosis.confidence != Confidence::kPossible;
    });
  }
};

}  // namespace cudadoctor

#endif  // CUDADOCTOR_MODEL_PACKAGE_CHECK_H_

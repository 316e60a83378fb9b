// model/report.h: what a session finds, as plain data. The JSON report is these structs, field by
// field; docs/report.schema.json is its schema.
#ifndef CUDADOCTOR_MODEL_REPORT_H_
#define CUDADOCTOR_MODEL_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/fact.h"

namespace cudadoctor {

enum class Outcome { kFailed, kSucceeded, kUndetermined };
enum class Role { kRoot, kContributing, kLatent };
enum class Confidence { kPossible, kLikely, kCertain };  // in rising order

// A piece of work that can fail by itself.
struct Unit {
  int id = 0;        // from 1, in the order of the log
  std::string kind;  // package-build, docker-step, ci-step, jit-load, command, configure, load
  std::string name;  // empty when the log names none
  int64_t first_line = 0;
  int64_t last_line = 0;  // inclusive
  Outcome outcome = Outcome::kUndetermined;
};

// A place in a source file that a compiler or an interpreter names.
struct SourceLocation {
  std::string file;         // as the log spells it; of the working tree: relative to it, with '/'
  int line = 0;             // 1-based
  int column = 0;           // 1-based; 0 when the log does not say
  bool is_in_tree = false;  // a file of the working tree, as far as that was looked at
};

// A line of the log that supports a cause.
struct Evidence {
  int64_t line = 0;       // 1-based raw line on which the logical line begins
  int64_t last_line = 0;  // inclusive; larger than line when a wrapped message was rejoined
  int column = 0;         // 1-based byte of `text`
  std::string text;       // the logical line, valid UTF-8, without control characters
  std::string pattern;
  std::optional<SourceLocation> source = std::nullopt;  // that the text names
};

struct Symptom {
  std::string id;
  int64_t line = 0;
  std::string text;
};

// One step is a complete command, or a note for the reader, or both.
struct Step {
  std::string run;  // as it is typed in the world of the diagnosis
  std::string note;
  std::string goal = {};  // what `run` does, for a POSIX shell and pip; empty: the same
};

struct Check {
  std::string run;
  std::string says;
};

struct Remedy {
  std::string id;
  std::string title;
  bool preferred = false;
  std::vector<std::string> needs;  // root, network, driver, reboot, windows
  std::string why;
  std::string cost;
  std::vector<Step> steps;
  std::vector<std::pair<std::string, std::string>> env;  // what the steps set, for machines
  bool is_only_env = false;  // the steps repeat the command with `env` and do nothing else
  std::optional<Check> check;
};

// Where the remedies of a diagnosis are typed.
struct World {
  std::string shell = "posix";  // posix, fish, cmd, powershell, notebook or dockerfile
  std::string project;          // the tool that keeps the project (uv, poetry …); empty for none
};

struct Diagnosis {
  std::string cause;  // an id of the rule set, or "unknown"
  std::string group;
  Role role = Role::kRoot;
  Confidence confidence = Confidence::kPossible;
  std::string retry;            // transient, runner, environment or source
  bool is_at_run_time = false;  // it does not run, rather than does not build or install
  std::vector<int> units;       // ids of the units where it holds
  World world;
  std::string title;
  std::string package;  // what was being built or loaded; empty when the log does not say
  std::string package_version;
  std::string explanation;
  // 16 hexadecimal digits: the same for the same cause of the same package in every job of a matrix
  std::string fingerprint;
  std::vector<Evidence> evidence;
  std::vector<Symptom> symptoms;
  std::vector<Remedy> remedies;
  std::vector<std::string> avoid;
  std::vector<std::string> references;  // URLs
};

struct Input {
  std::string name;
  int64_t lines = 0;
  int64_t bytes = 0;
  std::vector<std::string> limits;  // clipped-upstream, evidence-cut
  std::string path_in_tree = {};    // of a log in the working tree, relative to it; else empty
};

// Lines of the log that follow each other.
struct Excerpt {
  int64_t first_line = 0;          // 1-based raw line of lines[0]
  std::vector<std::string> lines;  // cleaned: valid UTF-8, without control characters
};

struct Report {
  Input input;
  Outcome outcome = Outcome::kUndetermined;
  std::vector<Unit> units;
  std::vector<Fact> facts;
  std::vector<Diagnosis> diagnoses;  // roots first
  // The log around the evidence, in its order, for formats that show it; not part of the JSON form.
  std::vector<Excerpt> excerpts;
};

}  // namespace cudadoctor

#endif  // CUDADOCTOR_MODEL_REPORT_H_

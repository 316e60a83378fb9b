#include "engine/session.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "diagnose/diagnose.h"
#include "engine/same_machine.h"
#include "knowledge/knowledge.h"
#include "match/log_scanner.h"
#include "match/source_location.h"
#include "redact/credentials.h"
#include "redact/report.h"
#include "remedy/plan.h"
#include "text/line.h"
#include "text/utf.h"

namespace cudadoctor {
namespace {

// Facts alone are no reason to look closely at a line's neighbourhood.
std::vector<bool> OpeningPatterns(const RuleSet& rules) {
  std::vector<bool> opens;
  for (size_t i = 0; i < rules.patterns().size(); ++i) {
    opens.push_back(!rules.patterns()[i].is_nearby && rules.owners()[i].role != PatternRole::kFact);
  }
  return opens;
}

class SessionImpl : public Session {
 public:
  SessionImpl(const RuleSet& rules, SessionOptions options)
      : rules_(rules),
        options_(std::move(options)),
        knowledge_([&rules](std::string_view name) { return rules.KnowledgeText(name); }),
        opens_(OpeningPatterns(rules)),
        scanner_(rules.matcher(), opens_) {}

  absl::Status Feed(std::string_view bytes) override {
    bytes_ += static_cast<int64_t>(bytes.size());
    return scanner_.Feed(decoder_.Decode(bytes));
  }

  absl::StatusOr<Report> Finish(std::optional<int> exit_status) override {
    RETURN_IF_ERROR(scanner_.Feed(decoder_.Flush()));
    ASSIGN_OR_RETURN(const std::vector<Match> matches, scanner_.Finish());
    TraceMatches(matches);
    Findings found;
    RETURN_IF_ERROR(DiagnoseWithHost(matches, exit_status, found));
    Report report;
    report.input.name = HideCredentials(Printable(options_.input_name));
    report.input.lines = scanner_.lines();
    report.input.bytes = bytes_;
    if (found.facts.Find("clipped", 0, 0) != nullptr)
      report.input.limits.push_back("clipped-upstream");
    if (std::any_of(matches.begin(), matches.end(),
                    [](const Match& match) { return match.is_cut; }))
      report.input.limits.push_back("evidence-cut");
    for (Finding& finding : found.findings) {
      RETURN_IF_ERROR(PlanRemedies(rules_, finding));
      NameMasks(finding.diagnosis);
      for (Evidence& evidence : finding.diagnosis.evidence)
        evidence.source = FindSourceLocation(evidence.text);
      report.diagnoses.push_back(std::move(finding.diagnosis));
    }
    report.outcome = found.outcome;
    report.units = std::move(found.units);
    report.facts = found.facts.facts();
    return report;
  }

 private:
  // The machine is looked at only for a failure, and decides it anew together with the log.
  absl::Status DiagnoseWithHost(const std::vector<Match>& matches, std::optional<int> exit_status,
                                Findings& found) {
    std::vector<std::string> trace;
    RETURN_IF_ERROR(DiagnoseOnce(matches, {}, exit_status, trace, found));
    const bool knows_more = options_.host_facts || options_.command_facts;
    if (knows_more && !found.findings.empty()) {
      const std::vector<Fact> log = found.facts.facts();
      std::vector<Fact> facts;
      if (options_.command_facts) facts = options_.command_facts();
      std::optional<std::string> difference;
      std::vector<Fact> stated = facts;
      stated.insert(stated.end(), log.begin(), log.end());  // the log's command is the last
      for (Fact& fact : HostFacts(matches, stated, difference)) facts.push_back(std::move(fact));
      trace.clear();
      found = Findings();
      RETURN_IF_ERROR(DiagnoseOnce(matches, facts, exit_status, trace, found));
      if (DropConflicts(found, facts)) {
        trace.clear();
        found = Findings();
        RETURN_IF_ERROR(DiagnoseOnce(matches, facts, exit_status, trace, found));
      }
      if (difference.has_value())
        trace.push_back(absl::StrCat("the log is of another machine: ", *difference));
    }
    if (options_.trace) {
      for (const std::string& line : trace) options_.trace(line);
    }
    return absl::OkStatus();
  }

  // What may be said of the machine of a log that, with its command, states `stated`; `difference`
  // says why a local host is not that machine.
  std::vector<Fact> HostFacts(const std::vector<Match>& matches, const std::vector<Fact>& stated,
                              std::optional<std::string>& difference) const {
    const bool is_foreign = std::any_of(matches.begin(), matches.end(),
                                        [](const Match& match) { return match.is_foreign; });
    if (!options_.host_facts || (is_foreign && options_.is_local_host)) return {};
    std::vector<Fact> host = options_.host_facts();
    for (Fact& fact : host) HideCredentials(fact);
    host.erase(std::remove_if(host.begin(), host.end(),
                              [](const Fact& fact) { return fact.value.empty(); }),
               host.end());
    if (options_.is_local_host) difference = DifferenceOfMachines(stated, host);
    if (difference.has_value()) return {};
    return WithoutContradicted(stated, std::move(host));
  }

  // Drops what a cause that was found shows to be of another thing than the log's; false for
  // nothing.
  static bool DropConflicts(const Findings& found, std::vector<Fact>& host) {
    const size_t before = host.size();
    for (const Finding& finding : found.findings) {
      if (finding.cause == nullptr) continue;
      for (const HostConflict& conflict : finding.cause->host_conflicts) {
        if (finding.resolver.Holds(conflict.when)) DropAllAbout(conflict.fact, host);
      }
    }
    return host.size() != before;
  }

  absl::Status DiagnoseOnce(const std::vector<Match>& matches, const std::vector<Fact>& host,
                            std::optional<int> exit_status, std::vector<std::string>& trace,
                            Findings& found) {
    Explain explain;
    if (options_.trace) explain = [&trace](const std::string& line) { trace.push_back(line); };
    return Diagnose({.rules = rules_,
                     .knowledge = knowledge_,
                     .matches = matches,
                     .host_facts = host,
                     .lines = scanner_.lines(),
                     .exit_status = exit_status},
                    explain, found);
  }

  void TraceMatches(const std::vector<Match>& matches) {
    if (!options_.trace) return;
    for (const Match& match : matches) {
      const RuleFile& file = rules_.files()[rules_.owners()[match.pattern].file];
      std::string line = absl::StrCat("line ", match.first_line);
      if (match.last_line != match.first_line) absl::StrAppend(&line, "-", match.last_line);
      absl::StrAppend(&line, ": ", file.id, " ", rules_.patterns()[match.pattern].name);
      for (const Capture& capture : match.captures)
        absl::StrAppend(&line, " ", capture.fact, "=", capture.value);
      options_.trace(absl::StrCat(line, " | ", match.text.substr(0, 160)));
    }
  }

  const RuleSet& rules_;
  const SessionOptions options_;
  const Knowledge knowledge_;
  const std::vector<bool> opens_;
  StreamDecoder decoder_;
  LogScanner scanner_;
  int64_t bytes_ = 0;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Session>> Session::Create(const RuleSet& rules,
                                                         SessionOptions options) {
  return std::make_unique<SessionImpl>(rules, std::move(options));
}

}  // namespace cudadoctor

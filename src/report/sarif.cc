#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/views.h"
#include "json/json.h"
#include "report/message.h"
#include "report/names.h"
#include "report/place.h"
#include "report/quote.h"
#include "report/renderer.h"

namespace cudadoctor {
namespace {

// Names of SARIF 2.1.0, docs.oasis-open.org/sarif/sarif/v2.1.0.
constexpr char kSchema[] = "https://json.schemastore.org/sarif-2.1.0.json";
constexpr char kRoot[] = "%SRCROOT%";

// What GitHub shows of a rule: "Limited to 1024 characters", in its "SARIF support for code
// scanning".
constexpr size_t kMaxDescription = 1024;

// The column in UTF-16 code units of the byte at 1-based `column` of `text`.
int Utf16Column(std::string_view text, int column) {
  int units = 1;
  const size_t end = std::min(text.size(), static_cast<size_t>(std::max(column, 1) - 1));
  for (const char c : text.substr(0, end)) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0) != 0x80) units += byte >= 0xF0 ? 2 : 1;
  }
  return units;
}

// A path as a reference of RFC 3986; all but unreserved characters and '/' is escaped.
std::string Uri(std::string_view path) {
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    if (absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
        std::string_view("-._~/").find(c) != std::string_view::npos) {
      uri.push_back(c);
    } else {
      absl::StrAppend(&uri, absl::StrFormat("%%%02X", static_cast<unsigned char>(c)));
    }
  }
  return uri;
}

Json ArtifactLocation(std::string_view path) {
  Json location = {{"uri", Uri(path)}};
  // What leaves the tree has no place below its root.
  if (!path.starts_with('/') && !path.starts_with("../")) location["uriBaseId"] = kRoot;
  return location;
}

// The log of one of the reports.
struct Log {
  std::string file;
  size_t index;  // in run.artifacts

  Json Location(Json region) const {
    Json artifact = ArtifactLocation(file);
    artifact["index"] = index;
    return {{"physicalLocation",
             {{"artifactLocation", std::move(artifact)}, {"region", std::move(region)}}}};
  }
};

// From the deciding column to the end of the line. A rejoined message has no end column: its text
// is not that of the raw lines.
Json RegionOf(const Evidence& evidence) {
  const int end = static_cast<int>(evidence.text.size()) + 1;
  const int start = std::clamp(evidence.column, 1, end);
  Json region = {{"startLine", evidence.line}, {"startColumn", Utf16Column(evidence.text, start)}};
  if (evidence.last_line > evidence.line) {
    region["endLine"] = evidence.last_line;
  } else {
    region["endLine"] = evidence.line;
    region["endColumn"] = Utf16Column(evidence.text, end);
  }
  region["snippet"] = {{"text", evidence.text.substr(static_cast<size_t>(start - 1))}};
  return region;
}

Json RelatedLocation(Json location, std::string_view message, size_t id) {
  location["id"] = id;
  location["message"] = {{"text", message}};
  return location;
}

class SarifRun {
 public:
  void Add(const Report& report) {
    const Log log = {NameOfLog(report), artifacts_.size()};
    Json roles = Json::array({"analysisTarget"});
    if (report.input.name == "-") roles.push_back("standardStream");
    artifacts_.push_back({{"location", ArtifactLocation(log.file)},
                          {"roles", std::move(roles)},
                          {"mimeType", "text/plain"}});
    for (const std::string& limit : report.input.limits) AddNotification(limit, log);
    for (const Diagnosis& diagnosis : report.diagnoses) AddResult(report, diagnosis, log);
  }

  Json Finish() {
    Json driver = {{"name", "cudadoctor"},
                   {"version", kVersion},
                   {"semanticVersion", kVersion},
                   {"rules", std::move(rules_)}};
    if (!notification_rules_.empty()) driver["notifications"] = std::move(notification_rules_);
    Json invocation = {{"executionSuccessful", true}};
    if (!notifications_.empty())
      invocation["toolExecutionNotifications"] = std::move(notifications_);
    // No automationDetails: GitHub's upload action would then ignore its `category`, which keeps
    // the jobs of a matrix apart.
    return {{"tool", {{"driver", std::move(driver)}}},
            {"invocations", Json::array({std::move(invocation)})},
            {"columnKind", "utf16CodeUnits"},
            {"originalUriBaseIds",
             {{kRoot, {{"description", {{"text", "the root of the working tree"}}}}}}},
            {"artifacts", std::move(artifacts_)},
            {"results", std::move(results_)}};
  }

 private:
  void AddNotification(const std::string& limit, const Log& log) {
    const auto [found, is_new] = notification_index_.try_emplace(limit, notification_rules_.size());
    const std::string text = limit == "clipped-upstream"
                                 ? "the log was cut before it was read; the full log may show "
                                   "another cause"
                                 : "the log has more evidence than is kept";
    if (is_new)
      notification_rules_.push_back({{"id", limit}, {"shortDescription", {{"text", text}}}});
    Json artifact = ArtifactLocation(log.file);
    artifact["index"] = log.index;
    notifications_.push_back(
        {{"descriptor", {{"id", limit}, {"index", found->second}}},
         {"level", "warning"},
         {"message", {{"text", text}}},
         {"locations",
          Json::array({{{"physicalLocation", {{"artifactLocation", std::move(artifact)}}}}})}});
  }

  size_t RuleIndex(const Diagnosis& diagnosis) {
    const auto [found, is_new] = rule_index_.try_emplace(diagnosis.cause, rules_.size());
    if (is_new) rules_.push_back(Rule(diagnosis));
    return found->second;
  }

  // Of a diagnosis only what is the same in every log goes into the rule.
  static Json Rule(const Diagnosis& diagnosis) {
    std::string words = diagnosis.cause;
    std::replace(words.begin(), words.end(), '-', ' ');
    const std::string& full = diagnosis.explanation.empty() ? words : diagnosis.explanation;
    std::string plain = full;
    std::string markdown = full;
    if (diagnosis.cause != "unknown") {
      absl::StrAppend(&plain, "\n\nMore: cudadoctor explain ", diagnosis.cause);
      absl::StrAppend(&markdown, "\n\nMore: `cudadoctor explain ", diagnosis.cause, "`");
    }
    for (const std::string& url : diagnosis.references) {
      absl::StrAppend(&plain, "\n", url);
      absl::StrAppend(&markdown, "\n- <", url, ">");
    }
    Json rule = {{"id", diagnosis.cause},
                 {"shortDescription", {{"text", words}}},
                 {"fullDescription", {{"text", CutBytes(full, kMaxDescription)}}},
                 {"help", {{"text", plain}, {"markdown", markdown}}},
                 {"defaultConfiguration", {{"level", "error"}}},
                 {"properties", {{"tags", Json::array({"build", diagnosis.group})}}}};
    if (!diagnosis.references.empty()) rule["helpUri"] = diagnosis.references.front();
    return rule;
  }

  void AddResult(const Report& report, const Diagnosis& diagnosis, const Log& log) {
    Json related = Json::array();
    const auto relate = [&related](Json location, std::string_view message) {
      related.push_back(RelatedLocation(std::move(location), message, related.size() + 1));
    };
    // Readers show the first location only. In a source of the tree it is an annotation there.
    std::optional<SourceLocation> source = SourceInTree(diagnosis);
    Json location;
    if (source.has_value()) {
      location = {{"physicalLocation",
                   {{"artifactLocation", ArtifactLocation(source->file)},
                    {"region", {{"startLine", source->line}}}}}};
      if (source->column > 0)
        location["physicalLocation"]["region"]["startColumn"] = source->column;
    } else if (diagnosis.evidence.empty()) {
      location = log.Location({{"startLine", PlaceInLog(report, diagnosis).line}});
    } else {
      location = log.Location(RegionOf(diagnosis.evidence.front()));
    }
    for (size_t i = source.has_value() ? 0 : 1; i < diagnosis.evidence.size(); ++i)
      relate(log.Location(RegionOf(diagnosis.evidence[i])), "evidence");
    for (const Symptom& symptom : diagnosis.symptoms) {
      relate(log.Location({{"startLine", symptom.line}, {"snippet", {{"text", symptom.text}}}}),
             absl::StrCat("follows from it: ", symptom.id));
    }
    Json result = {
        {"ruleId", diagnosis.cause},
        {"ruleIndex", RuleIndex(diagnosis)},
        {"level", ForRole(diagnosis.role, "error", "warning", "note")},
        {"message", {{"text", PlainMessage(diagnosis)}, {"markdown", MarkdownMessage(diagnosis)}}},
        {"locations", Json::array({std::move(location)})}};
    if (!related.empty()) result["relatedLocations"] = std::move(related);
    // GitHub reads primaryLocationLineHash alone, and would make it from the line: the line of a
    // cause in a log is another one in each run.
    result["partialFingerprints"] = {{"cudadoctorFingerprint/v1", diagnosis.fingerprint},
                                     {"primaryLocationLineHash", diagnosis.fingerprint + ":1"}};
    result["properties"] = Properties(diagnosis);
    results_.push_back(std::move(result));
  }

  // SARIF's own `fixes` are changes of artifacts; ours are commands.
  static Json Properties(const Diagnosis& diagnosis) {
    Json properties = {{"confidence", Name(diagnosis.confidence)}, {"retry", diagnosis.retry}};
    if (!diagnosis.package.empty()) properties["package"] = diagnosis.package;
    Json remedies = Json::array();
    for (const Remedy& remedy : diagnosis.remedies) {
      Json commands = Json::array();
      for (const Step& step : remedy.steps) {
        if (!step.run.empty()) commands.push_back(step.run);
      }
      remedies.push_back({{"id", remedy.id},
                          {"title", remedy.title},
                          {"preferred", remedy.preferred},
                          {"commands", std::move(commands)}});
    }
    properties["remedies"] = std::move(remedies);
    return properties;
  }

  Json artifacts_ = Json::array();
  Json results_ = Json::array();
  Json rules_ = Json::array();
  Json notification_rules_ = Json::array();
  Json notifications_ = Json::array();
  std::map<std::string, size_t> rule_index_;
  std::map<std::string, size_t> notification_index_;
};

}  // namespace

std::string RenderSarif(std::span<const Report> reports, const RenderOptions&) {
  SarifRun run;
  for (const Report& report : reports) run.Add(report);
  const Json log = {
      {"$schema", kSchema}, {"version", "2.1.0"}, {"runs", Json::array({run.Finish()})}};
  return WriteJson(log, 2) + "\n";
}

}  // namespace cudadoctor

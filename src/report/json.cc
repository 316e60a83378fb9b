#include "json/json.h"

#include "report/names.h"
#include "report/renderer.h"

namespace cudadoctor {
namespace {

Json ToJson(const Unit& unit) {
  Json json = {{"id", unit.id}, {"kind", unit.kind}};
  if (!unit.name.empty()) json["name"] = unit.name;
  json["first_line"] = unit.first_line;
  json["last_line"] = unit.last_line;
  json["outcome"] = Name(unit.outcome);
  return json;
}

Json ToJson(const Fact& fact) {
  Json json = {{"name", fact.name},
               {"type", std::string(TypeName(fact.type))},
               {"value", fact.value},
               {"origin", Name(fact.origin)}};
  if (fact.line > 0) json["line"] = fact.line;
  if (fact.unit > 0) json["unit"] = fact.unit;
  if (!fact.at.empty()) json["at"] = fact.at;
  return json;
}

Json ToJson(const Evidence& evidence) {
  Json json = {{"line", evidence.line}};
  if (evidence.last_line > evidence.line) json["last_line"] = evidence.last_line;
  json["column"] = evidence.column;
  json["text"] = evidence.text;
  json["pattern"] = evidence.pattern;
  if (evidence.source.has_value()) {
    json["source"] = {{"file", evidence.source->file}, {"line", evidence.source->line}};
    if (evidence.source->column > 0) json["source"]["column"] = evidence.source->column;
    if (evidence.source->is_in_tree) json["source"]["in_tree"] = true;
  }
  return json;
}

Json ToJson(const Diagnosis& diagnosis) {
  Json json = {{"cause", diagnosis.cause},     {"group", diagnosis.group},
               {"role", Name(diagnosis.role)}, {"confidence", Name(diagnosis.confidence)},
               {"retry", diagnosis.retry},     {"units", diagnosis.units},
               {"title", diagnosis.title}};
  if (diagnosis.is_at_run_time) json["at_run_time"] = true;
  if (!diagnosis.package.empty()) json["package"] = diagnosis.package;
  json["explanation"] = diagnosis.explanation;
  json["fingerprint"] = diagnosis.fingerprint;
  json["evidence"] = Json::array();
  for (const Evidence& evidence : diagnosis.evidence) json["evidence"].push_back(ToJson(evidence));
  json["symptoms"] = Json::array();
  for (const Symptom& symptom : diagnosis.symptoms)
    json["symptoms"].push_back(
        {{"id", symptom.id}, {"line", symptom.line}, {"text", symptom.text}});
  json["world"] = {{"shell", diagnosis.world.shell}};
  if (!diagnosis.world.project.empty()) json["world"]["project"] = diagnosis.world.project;
  json["remedies"] = Json::array();
  for (const Remedy& remedy : diagnosis.remedies) json["remedies"].push_back(RemedyToJson(remedy));
  json["avoid"] = diagnosis.avoid;
  json["references"] = diagnosis.references;
  return json;
}

}  // namespace

Json RemedyToJson(const Remedy& remedy) {
  Json json = {{"id", remedy.id},
               {"title", remedy.title},
               {"preferred", remedy.preferred},
               {"needs", remedy.needs}};
  if (!remedy.why.empty()) json["why"] = remedy.why;
  if (!remedy.cost.empty()) json["cost"] = remedy.cost;
  json["steps"] = Json::array();
  for (const Step& step : remedy.steps) {
    Json entry = Json::object();
    if (!step.run.empty()) entry["run"] = step.run;
    if (!step.goal.empty()) entry["goal"] = step.goal;
    if (!step.note.empty()) entry["note"] = step.note;
    json["steps"].push_back(std::move(entry));
  }
  if (!remedy.env.empty()) {
    json["env"] = Json::object();
    for (const auto& [name, value] : remedy.env) json["env"][name] = value;
    if (remedy.is_only_env) json["only_env"] = true;
  }
  if (remedy.check.has_value())
    json["check"] = {{"run", remedy.check->run}, {"says", remedy.check->says}};
  return json;
}

Json ReportToJson(const Report& report) {
  Json json = {{"schema", "cudadoctor.report/1"},
               {"tool", {{"name", "cudadoctor"}, {"version", kVersion}}}};
  json["input"] = {
      {"name", report.input.name}, {"lines", report.input.lines}, {"bytes", report.input.bytes}};
  if (!report.input.limits.empty()) json["input"]["limits"] = report.input.limits;
  json["outcome"] = Name(report.outcome);
  json["units"] = Json::array();
  for (const Unit& unit : report.units) json["units"].push_back(ToJson(unit));
  json["facts"] = Json::array();
  for (const Fact& fact : report.facts) json["facts"].push_back(ToJson(fact));
  json["diagnoses"] = Json::array();
  for (const Diagnosis& diagnosis : report.diagnoses)
    json["diagnoses"].push_back(ToJson(diagnosis));
  return json;
}

std::string RenderJson(std::span<const Report> reports, const RenderOptions&) {
  std::string text;
  for (const Report& report : reports) text += WriteJson(ReportToJson(report)) + "\n";
  return text;
}

}  // namespace cudadoctor

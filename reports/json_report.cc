// docs/report.schema.json describes what is written here, key by key.
#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

#include "reports/report.h"
#include "reports/summary.h"
#include "reports/words/foreign_text.h"
#include "reports/words/wording.h"

namespace attest {
namespace {

using json = nlohmann::ordered_json;

constexpr int schema_version = 1;

// JSON has no infinities and no NaN: they are strings.
json number(double x) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  return x;
}

json text(std::string_view foreign) { return well_formed(foreign); }

json feature_names(feature_set features) {
  json list = json::array();
  for (feature f : members(features)) list.push_back(name_of(f));
  return list;
}

json to_json(const contract_used& c) {
  return {{"inputs", c.inputs->name},
          {"name", text(c.used->name)},
          {"about", text(c.used->about)},
          {"origin", name_of(c.from)}};
}

json to_json(const subject_info& subject) {
  json contracts = json::array(), inputs = json::array(), declared = json::array();
  for (const contract_used& c : contracts_used(subject)) contracts.push_back(to_json(c));
  for (const format* f : subject.inputs) inputs.push_back(f->name);
  for (const contract& c : subject.contracts) declared.push_back(text(c.name));
  return {{"address", text(subject.address)},
          {"name", text(subject.name)},
          {"version", text(subject.version)},
          {"features", feature_names(subject.features)},
          {"inputs", inputs},
          {"profile", text(subject.profile)},
          {"profile_origin", name_of(subject.profile_origin)},
          {"declared_contracts", declared},
          {"contracts", contracts}};
}

void add_counts(json& to, const counts& c) {
  to["problems"] = c.problems;
  to["judged_problems"] = c.judged_problems;
  to["judged"] = c.judged;
  to["undecided"] = c.undecided;
  to["rows"] = c.rows;
  to["out_of_domain"] = c.out_of_domain;
  to["differences"] = c.differences;
}

void add_observation(json& to, const observation& seen) {
  to["where"] = text(seen.where);
  to["what"] = text(seen.what);
  to["observed"] = number(seen.observed);
  to["expected"] = number(seen.expected);
  to["bound"] = number(seen.bound);
  to["ratio"] = number(seen.ratio);
}

json to_json(const counterexample& c) {
  json result{{"verdict", name_of(c.found.outcome)},
              {"problem", text(to_line(c.problem))},
              {"drawn", text(to_line(c.drawn))}};
  if (c.found.worst) add_observation(result, *c.found.worst);
  if (!c.found.reason.empty()) result["reason"] = text(c.found.reason);
  result["replay"] = replay_command(c);
  return result;
}

json to_json(const group_result& group) {
  json result{{"name", text(group.group)}, {"verdict", name_of(verdict_of(group))}};
  add_counts(result, counts_of(group));
  result["worst_ratio"] = number(group.worst_ratio);
  if (!group.reason.empty()) result["reason"] = text(group.reason);
  if (group.failure) result["counterexample"] = to_json(*group.failure);
  return result;
}

json to_json(const property_summary& p) {
  json result{{"name", text(p.law->name)},           {"theme", text(p.law->theme)},
              {"statement", text(p.law->statement)}, {"method", text(p.law->method)},
              {"bound", text(p.law->bound)},         {"proof", text(p.law->proof)},
              {"claim", text(p.law->claim)},         {"verdict", name_of(p.outcome)}};
  add_counts(result, p.sum);
  result["worst_ratio"] = number(p.worst_ratio);
  result["groups"] = json::array();
  for (const group_result* group : p.groups) result["groups"].push_back(to_json(*group));
  return result;
}

json to_json(const feature_coverage& c) {
  return {{"feature", name_of(c.what)},
          {"declared", c.declared},
          {"required", c.required},
          {"problems", c.problems},
          {"judged_problems", c.judged},
          {"undecided_problems", c.undecided},
          {"unsupported_problems", c.unsupported},
          {"rows", c.rows},
          {"out_of_domain", c.out_of_domain}};
}

json to_json(const forgiven_share& s) {
  return {{"inputs", s.inputs->name},
          {"comparisons", s.comparisons},
          {"undecided", s.undecided},
          {"mean_share", number(s.mean())}};
}

json to_json(const run_block& run) {
  return {{"version", text(run.version)},
          {"started", text(run.started)},
          {"seconds", number(run.seconds)},
          {"host", text(run.host)},
          {"threads", run.threads}};
}

void add_findings(json& to, const run_result& result) {
  json properties = json::array(), coverage = json::array();
  json unmet = json::array(), unrun = json::array();
  for (const property_summary& p : summarise(result)) properties.push_back(to_json(p));
  for (const property* law : not_run(result)) unrun.push_back(text(law->name));
  for (const feature_coverage& c : result.coverage) coverage.push_back(to_json(c));
  for (const std::string& sentence : result.not_judged) unmet.push_back(text(sentence));
  to["properties"] = std::move(properties);
  to["not_run"] = std::move(unrun);
  json shares = json::array();
  for (const forgiven_share& s : result.shares) shares.push_back(to_json(s));
  to["coverage"] = std::move(coverage);
  to["bounds"] = std::move(shares);
  to["not_judged"] = std::move(unmet);
}

json to_json(const report& r) {
  const run_result& result = r.result;
  json page{{"schema_version", schema_version},
            {"verdict", name_of(result.outcome())},
            {"exit_code", result.exit_code()},
            {"interrupted", result.interrupted},
            {"seed", result.options.seed},
            {"effort", result.options.effort},
            {"required", feature_names(result.options.required)},
            {"subject", to_json(result.subject)}};
  add_findings(page, result);
  if (r.run) page["run"] = to_json(*r.run);
  return page;
}

}  // namespace

void write_json(std::ostream& out, const report& r) { out << to_json(r).dump(2) << '\n'; }

}  // namespace attest

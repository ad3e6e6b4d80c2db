#include "reports/summary.h"

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

double larger(double a, double b) { return !(a >= b) || std::isnan(b) ? b : a; }

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> known_groups() {
  std::vector<std::string> names{"plain"};
  for (feature f : members(feature_set::all())) names.emplace_back(name_of(f));
  names.insert(names.end(), {"mixed", "long_row", "large"});
  return names;
}

void include(property_summary& summary, const group_result& group) {
  const verdict outcome = verdict_of(group);
  summary.outcome = summary.groups.empty() ? outcome : worse(summary.outcome, outcome);
  summary.sum += counts_of(group);
  summary.worst_ratio = larger(summary.worst_ratio, worst_ratio_of(group));
  summary.groups.push_back(&group);
}

}  // namespace

counts& counts::operator+=(const counts& more) {
  problems += more.problems;
  judged_problems += more.judged_problems;
  judged += more.judged;
  undecided += more.undecided;
  rows += more.rows;
  out_of_domain += more.out_of_domain;
  differences += more.differences;
  return *this;
}

const group_result* property_summary::first_failure() const {
  const group_result* first = nullptr;
  for (const group_result* group : groups) {
    if (group->failure && group->outcome == outcome) return group;
    if (group->failure && !first) first = group;
  }
  return first;
}

counts counts_of(const group_result& g) {
  return {g.problems, g.judged_problems, g.judged,     g.undecided,
          g.rows,     g.out_of_domain,   g.differences};
}

counts counts_of(const run_result& result) {
  counts sum;
  for (const group_result& group : result.groups) sum += counts_of(group);
  return sum;
}

verdict verdict_of(const group_result& group) {
  const bool hollow = group.outcome == verdict::holds && group.judged_problems == 0;
  return hollow ? verdict::undecided : group.outcome;
}

double worst_ratio_of(const group_result& group) {
  return group.failure ? larger(group.worst_ratio, group.failure->found.worst_ratio)
                       : group.worst_ratio;
}

std::vector<property_summary> summarise(const run_result& result) {
  std::vector<property_summary> list;
  for (const group_result& group : result.groups) {
    const auto same = [&](const property_summary& s) { return s.law == group.law; };
    auto found = std::find_if(list.begin(), list.end(), same);
    if (found == list.end()) {
      list.emplace_back().law = group.law;
      found = list.end() - 1;
    }
    include(*found, group);
  }
  return list;
}

std::vector<const property*> not_run(const run_result& result) {
  std::vector<const property*> list;
  for (const property* law : result.options.properties) {
    const auto same = [&](const group_result& group) { return group.law == law; };
    if (std::none_of(result.groups.begin(), result.groups.end(), same)) list.push_back(law);
  }
  return list;
}

std::vector<std::string> group_names(const run_result& result) {
  std::vector<std::string> present;
  for (const group_result& group : result.groups)
    if (!contains(present, group.group)) present.push_back(group.group);
  std::vector<std::string> ordered;
  for (const std::string& name : known_groups())
    if (contains(present, name)) ordered.push_back(name);
  for (const std::string& name : present)
    if (!contains(ordered, name)) ordered.push_back(name);
  return ordered;
}

std::vector<contract_used> contracts_used(const subject_info& subject) {
  std::vector<contract_used> list;
  for (const format* inputs : subject.inputs)
    list.push_back({inputs, &subject.contract_for(*inputs), subject.contract_origin(*inputs)});
  return list;
}

bool is_covered(const feature_coverage& c) {
  return c.judged >= least_judged_problems &&
         !(static_cast<double>(c.out_of_domain) > most_out_of_domain * static_cast<double>(c.rows));
}

}  // namespace attest

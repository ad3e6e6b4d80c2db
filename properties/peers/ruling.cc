#include "properties/peers/ruling.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>

#include "properties/judge.h"
#include "properties/peers/evidence.h"

namespace attest {
namespace {

bool any_needs(rule_list rules, peer_need what) {
  return std::any_of(rules.begin(), rules.end(),
                     [&](const peer_rule* rule) { return rule->needs == what; });
}

ruling rule_on_one(examiner& subject, const problem& p, rule_list rules, double control_error) {
  const answer a = subject.ask(p);
  if (a.refusal) return {std::vector<bool>(rules.size(), false), *a.refusal};
  peer_evidence e = gather_evidence(p, a, any_needs(rules, peer_need::competitor));
  e.control_error = control_error;
  ruling result;
  for (const peer_rule* rule : rules) result.accepted.push_back(accepts(*rule, e));
  result.by_bound = judge_answer(p, a, subject.terms_for(p));
  return result;
}

}  // namespace

std::vector<ruling> rule_on(examiner& subject, std::span<const problem_spec> specs, rule_list rules,
                            control_errors& calibrated) {
  const bool calibrates = any_needs(rules, peer_need::control_error);
  std::vector<double> control_error(specs.size(), 0);
  for (std::size_t n = 0; calibrates && n < specs.size(); ++n)
    control_error[n] = calibrated.of(*specs[n].inputs);
  std::vector<ruling> rulings(specs.size());
  oneapi::tbb::parallel_for(std::size_t{0}, specs.size(), [&](std::size_t n) {
    rulings[n] = rule_on_one(subject, materialise(specs[n]), rules, control_error[n]);
  });
  return rulings;
}

}  // namespace attest

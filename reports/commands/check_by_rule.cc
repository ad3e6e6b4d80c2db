#include "reports/commands/check_by_rule.h"

#include <iostream>

#include "properties/catalogue/catalogue.h"
#include "properties/domain/domain.h"
#include "properties/peers/ruling.h"
#include "reports/commands/seed.h"
#include "reports/exit_code.h"
#include "reports/rule_report.h"

namespace attest {

int check_by_rule(const check_options& o) {
  const peer_rule& rule = find_peer_rule(o.rule);
  const std::uint64_t seed = parse_seed(o.seed);
  const auto s = open_subject(o.subject, o.declared);
  const auto specs = draw_specs(matches_definition, s->info(), seed, o.effort);
  control_errors calibrated(seed);
  const peer_rule* const only[] = {&rule};
  examiner subject(*s, {.false_alarm = o.false_alarm});
  const auto rulings = rule_on(subject, specs, only, calibrated);
  rule_report r{s->info(), rule, seed, o.effort};
  for (std::size_t n = 0; n < specs.size(); ++n) r.add(specs[n], rulings[n]);
  write_rule_text(std::cout, r);
  return r.rejected.problems == 0 ? all_hold : something_failed;
}

}  // namespace attest

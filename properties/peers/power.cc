#include "properties/peers/power.h"

#include <algorithm>

#include "properties/catalogue/catalogue.h"
#include "properties/domain/domain.h"
#include "properties/peers/ruling.h"
#include "properties/peers/usual_problems.h"
#include "properties/run.h"

namespace attest {
namespace {

constexpr int effort = 1;

using rulings = std::vector<ruling>;

bool all_accepted(const rulings& list, std::size_t rule) {
  return std::all_of(list.begin(), list.end(), [&](const ruling& r) { return r.accepted[rule]; });
}

bool none_fails(const rulings& list) {
  return std::none_of(list.begin(), list.end(),
                      [](const ruling& r) { return is_failure(r.by_bound.outcome); });
}

run_result run_laws(subject& s, std::uint64_t seed, const std::vector<const property*>& laws) {
  run_options options;
  options.seed = seed;
  options.effort = effort;
  options.shrink_tries = 0;
  options.properties = laws;
  return run_properties(s, options, {});
}

bool any_law_fails(subject& s, std::uint64_t seed, const std::vector<const property*>& laws) {
  return std::any_of(laws.begin(), laws.end(), [&](const property* law) {
    return run_laws(s, seed, {law}).exit_code() == 1;
  });
}

std::vector<power_row> rows_of_peers() {
  std::vector<power_row> rows;
  for (const peer_rule* rule : all_peer_rules())
    rows.push_back(
        {std::string(rule->name), std::string(rule->accepts), std::string(rule->source), {}, {}});
  return rows;
}

power_row row_of_bound() {
  return {"derived-bound",
          "every element is within what the declared arithmetic allows",
          "attest, property matches_definition",
          {},
          {}};
}

// A subject on trial: how it enters a column.
struct trial {
  std::string name;
  bool is_right = false;

  void enter(power_column& column, bool passes) const {
    if (is_right && !passes) column.rejected.push_back(name);
    if (!is_right && passes) column.missed.push_back(name);
  }
};

// Fills a table subject by subject.
class power_trials {
 public:
  explicit power_trials(const power_settings& settings) : calibrated_(settings.seed) {
    table_.settings = settings;
    table_.peers = rows_of_peers();
    table_.bound = row_of_bound();
  }

  void add(subject& s, bool is_right) {
    const trial t{s.info().name, is_right};
    (is_right ? table_.right : table_.wrong).push_back(t.name);
    const std::uint64_t seed = table_.settings.seed;
    enter(t, rulings_on(s, usual_problems(s.info(), seed, table_.settings.problems)),
          &power_row::on_usual);
    const rulings drawn = rulings_on(s, draw_specs(matches_definition, s.info(), seed, effort));
    enter(t, drawn, &power_row::on_drawn);
    if (is_right)
      enter_right(t, run_laws(s, seed, matching_properties(table_.settings.property)));
    else
      t.enter(table_.attest, !is_caught(s, drawn));
  }

  void interrupt() { table_.interrupted = true; }
  power_table table() const { return table_; }

 private:
  // The drawn problems are those on which a run would judge matches_definition.
  bool is_caught(subject& s, const rulings& drawn) const {
    const std::vector<const property*> laws = matching_properties(table_.settings.property);
    const bool by_definition =
        std::find(laws.begin(), laws.end(), &matches_definition) != laws.end();
    return (by_definition && !none_fails(drawn)) || any_law_fails(s, table_.settings.seed, laws);
  }

  rulings rulings_on(subject& s, const std::vector<problem_spec>& specs) {
    examiner subject(s);
    return rule_on(subject, specs, all_peer_rules(), calibrated_);
  }

  void enter(const trial& t, const rulings& list, power_column power_row::*column) {
    for (std::size_t n = 0; n < table_.peers.size(); ++n)
      t.enter(table_.peers[n].*column, all_accepted(list, n));
    t.enter(table_.bound.*column, none_fails(list));
  }

  // What attest leaves open it does not reject.
  void enter_right(const trial& t, const run_result& result) {
    const bool fails = result.exit_code() == 1;
    t.enter(table_.attest, !fails);
    if (!fails && result.exit_code() != 0) table_.not_judged.push_back(t.name);
  }

  power_table table_;
  control_errors calibrated_;
};

}  // namespace

power_table compare_power(const subject_openers& wrong, const subject_openers& right,
                          const power_settings& settings, const power_progress& tell) {
  power_trials trials(settings);
  const std::size_t all = wrong.size() + right.size();
  for (std::size_t n = 0; n < all; ++n) {
    const bool is_right = n >= wrong.size();
    trials.add(*(is_right ? right[n - wrong.size()] : wrong[n])(), is_right);
    const bool goes_on =
        !tell || tell(static_cast<std::int64_t>(n + 1), static_cast<std::int64_t>(all));
    if (goes_on || n + 1 == all) continue;
    trials.interrupt();
    break;
  }
  return trials.table();
}

}  // namespace attest

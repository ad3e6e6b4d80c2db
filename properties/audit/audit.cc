#include "properties/audit/audit.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "derivation/unlucky/unlucky_row.h"
#include "properties/catalogue/catalogue.h"
#include "properties/domain/domain.h"
#include "reference/semantics/fields.h"
#include "reference/semantics/profiles.h"

namespace attest {
namespace {

constexpr std::int64_t plans_per_problem = 4;
constexpr std::int64_t rows_per_problem = 8;
constexpr std::int64_t problems_at_once = 32;

// A subject that declares everything, for which problems are drawn.
subject_info everything(const contract& c, const std::string& profile) {
  subject_info info;
  info.name = c.name;
  info.features = feature_set::all();
  info.inputs = {c.inputs};
  info.profile = profile;
  info.contracts = {c};
  return info;
}

// Conventions drawn one by one.
std::string drawn_profile(luck draws) {
  semantics rules;
  for (const semantics_field& field : fields_of_convention())
    field.set(rules, static_cast<std::size_t>(
                         draws.below(static_cast<std::int64_t>(field.values.size()))));
  return profile_text(rules);
}

// Every group of features in turn, and with each turn the next regime.
struct drawn_problem {
  std::string group;
  std::optional<problem_spec> spec;
};

// Vast calls have rows as all others do, and take long.
bool is_vast(const feature_group& g) { return g.what == feature_group::kind::vast; }

drawn_problem draw(const contract& c, std::uint64_t seed, std::int64_t index) {
  const auto number = static_cast<std::size_t>(index);
  const subject_info info = everything(c, drawn_profile(luck(random_bits(seed, 4, number))));
  std::vector<feature_group> groups = groups_for(matches_definition, info);
  std::erase_if(groups, is_vast);
  const feature_group& group = groups[number % groups.size()];
  const auto turn = static_cast<std::int64_t>(number / groups.size());
  return {group.name(), draw_spec(matches_definition, info, group, {seed, turn})};
}

// At most so many rows of a problem, evenly spread.
std::vector<row_index> chosen_rows(const problem& p) {
  std::vector<row_index> all, chosen;
  for_each_row(p.dims, [&](const row_index& row) { all.push_back(row); });
  const auto most = static_cast<std::size_t>(rows_per_problem);
  const std::size_t step = std::max<std::size_t>(1, (all.size() + most - 1) / most);
  for (std::size_t n = 0; n < all.size(); n += step) chosen.push_back(all[n]);
  return chosen;
}

template <class Key>
void add(std::map<Key, std::int64_t>& sum, const std::map<Key, std::int64_t>& more) {
  for (const auto& [key, count] : more) sum[key] += count;
}

void add(audited_elements& sum, const audited_elements& more) {
  sum.decided += more.decided;
  sum.undecided += more.undecided;
  sum.violated += more.violated;
  sum.improbable += more.improbable;
  if (more.nearest.ratio > sum.nearest.ratio) sum.nearest = more.nearest;
  add(sum.shares, more.shares);
}

void add(audit_result& sum, const audit_result& more) {
  sum.problems += more.problems;
  sum.evaluations += more.evaluations;
  sum.rows += more.rows;
  sum.out_of_domain += more.out_of_domain;
  add(sum.output, more.output);
  add(sum.lse, more.lse);
  add(sum.regimes, more.regimes);
  add(sum.groups, more.groups);
  add(sum.pressures, more.pressures);
  add(sum.orders, more.orders);
}

// k with 2^(k-1) <= share < 2^k; a bound of the hull and more is one octave.
int octave_of(double share) {
  int octave = 0;
  std::frexp(share < 1 ? share : 1, &octave);
  return octave;
}

// One problem, evaluated by several plans.
class problem_audit {
 public:
  problem_audit(const contract& keeps, const contract& judged_by, const drawn_problem& drawn)
      : keeps_(keeps),
        judged_by_(judged_by),
        drawn_(drawn),
        posed_(materialise(*drawn.spec)),
        sizes_(posed_) {}

  audit_result run(std::uint64_t seed) {
    std::vector<evaluation_plan> plans;
    for (std::int64_t n = 0; n < plans_per_problem; ++n)
      plans.push_back(draw_plan(keeps_, random_bits(seed, 1, static_cast<std::uint64_t>(n))));
    certified_rows rows(posed_);
    for (const row_index& place : chosen_rows(posed_)) {
      const row_reference row(rows, {judged_by_, {}}, place);
      if (row.exact().empty()) continue;
      for (const evaluation_plan& plan : plans) judge(row, place, plan);
    }
    result_.problems = 1;
    result_.evaluations = plans_per_problem;
    return result_;
  }

 private:
  void judge(const row_reference& row, const row_index& place, const evaluation_plan& plan) {
    ++result_.rows;
    if (!row.bound().in_domain()) {
      ++result_.out_of_domain;
      return;
    }
    evaluation_plan own = plan;
    own.seed = random_bits(plan.seed, 2, static_cast<std::uint64_t>(result_.rows));
    own.column = random_bits(plan.seed, 3, static_cast<std::uint64_t>(result_.rows));
    const operand_sizes* sizes = keeps_.quantised_to == nullptr ? nullptr : &sizes_;
    const unlucky_answer answer =
        evaluate_unlucky({keeps_, own, posed_, sizes, place, row.exact()});
    const std::int64_t before = result_.output.decided;
    for (std::size_t d = 0; d < answer.output.size(); ++d) {
      const auto column = static_cast<std::int64_t>(d);
      judge(result_.output, row.output(column), answer.output[d], place_of("o", place, column),
            own);
    }
    judge(result_.lse, row.lse(), answer.lse, place_of("lse", place, -1), own);
    count(result_.output.decided - before, plan);
  }

  // Only roundings that nothing aims are held to what is likely of random ones.
  void judge(audited_elements& sum, due expected, double observed, const std::string& where,
             const evaluation_plan& plan) {
    const bool at_random =
        plan.rounding.push == pressure::nearest || plan.rounding.push == pressure::random;
    if (!at_random) expected.likely = std::numeric_limits<double>::infinity();
    judgement j;
    judge_element(j, expected, observed, where, "");
    const double share = expected.bound / expected.scale;
    ++sum.shares[octave_of(share)];
    sum.decided += j.judged;
    sum.undecided += j.undecided;
    sum.violated += j.outcome == verdict::violated ? 1 : 0;
    sum.improbable += j.outcome == verdict::improbable ? 1 : 0;
    if (j.worst_ratio > sum.nearest.ratio)
      sum.nearest = {j.worst_ratio,       expected.bound / expected.scale, observed,
                     expected.value.high, to_line(*drawn_.spec),           where,
                     plan_words(plan)};
  }

  void count(std::int64_t decided, const evaluation_plan& plan) {
    result_.regimes[std::string(name_of(drawn_.spec->regime))] += decided;
    result_.groups[drawn_.group] += decided;
    result_.pressures[std::string(name_of(plan.rounding.push))] += decided;
    result_.orders[order_words(plan)] += decided;
  }

  const contract& keeps_;
  const contract& judged_by_;
  const drawn_problem& drawn_;
  problem posed_;
  operand_sizes sizes_;
  audit_result result_;
};

audit_result audit_problem(const contract& keeps, const contract& judged_by, std::uint64_t seed,
                           std::int64_t index) {
  const drawn_problem drawn = draw(keeps, seed, index);
  if (!drawn.spec) return {};
  return problem_audit(keeps, judged_by, drawn)
      .run(random_bits(seed, 0, static_cast<std::uint64_t>(index)));
}

}  // namespace

double audited_elements::median_share() const {
  std::int64_t all = 0, below = 0;
  for (const auto& [octave, count] : shares) all += count;
  for (const auto& [octave, count] : shares)
    if (below += count; 2 * below >= all) return std::ldexp(1.0, octave);
  return 0;
}

double least_tightness(const contract& c) { return c.output->precision <= 11 ? 0.3 : 0.1; }

audit_result audit_contract(const contract& keeps, const contract& judged_by,
                            const audit_options& options, const audit_progress& tell) {
  audit_result result;
  result.keeps = &keeps;
  const auto is_enough = [&] {
    return result.evaluations >= options.evaluations && result.output.decided >= options.elements;
  };
  for (std::int64_t index = 0; !is_enough() && !result.interrupted; index += problems_at_once) {
    std::vector<audit_result> found(static_cast<std::size_t>(problems_at_once));
    tbb::parallel_for(std::int64_t{0}, problems_at_once, [&](std::int64_t n) {
      found[static_cast<std::size_t>(n)] = audit_problem(keeps, judged_by, options.seed, index + n);
    });
    for (const audit_result& each : found) add(result, each);
    const std::int64_t done = std::min(result.output.decided, options.elements);
    result.interrupted = tell && !tell(done, options.elements) && !is_enough();
  }
  return result;
}

}  // namespace attest

#include "properties/catalogue/catalogue.h"
#include "properties/judge.h"
#include "properties/level_problem.h"
#include "reference/formats/spacing.h"
#include "reference/random.h"
#include "reference/semantics/profiles.h"

namespace attest {
namespace {

enum stream : std::uint64_t { window_choice = 264 };

constexpr std::int64_t long_row = 255;

std::int64_t power_of_two_within(std::int64_t n) {
  std::int64_t power = 1;
  while (2 * power <= n) power *= 2;
  return power;
}

// As many keys as make 2^n with the sink. Long rows keep the lengths they are drawn with.
std::int64_t fitting_keys(const problem_spec& spec) {
  const std::int64_t keys = spec.dims.keys;
  if (keys >= long_row || keys == 0) return keys;
  const std::int64_t sink = spec.sink ? 1 : 0;
  return std::max<std::int64_t>(power_of_two_within(keys + sink) - sink, 1);
}

// 1, 2 or 4 keys.
window fitting_window(std::uint64_t seed) {
  constexpr window windows[] = {{0, 0}, {1, 0}, {3, 0}, {0, 1}, {2, 1}, {1, 2}, {-1, 0}, {0, -1}};
  return windows[random_below(seed, window_choice, 0, std::size(windows))];
}

// Enough columns for the error of one column to be far below the share of one key.
std::int64_t fitting_width(const problem_spec& spec) {
  constexpr std::int64_t columns_of_long_rows = 9;
  return spec.dims.keys >= long_row ? columns_of_long_rows : spec.dims.value_width;
}

std::optional<problem_spec> adapt(problem_spec spec, const subject_info& subject) {
  const bool square = spec.dims.queries == spec.dims.keys;
  const bool one_width = spec.dims.width == spec.dims.value_width;
  spec.regime = value_regime::exact;
  // A cap that acts on masked scores keeps their keys, not far below the others.
  if (find_profile(spec.profile).cap == cap_order::after_mask) spec.soft_cap = 0;
  spec.dims.keys = fitting_keys(spec);
  if (square) spec.dims.queries = spec.dims.keys;
  spec.dims.value_width = fitting_width(spec);
  if (one_width && !subject.features.has(feature::value_width))
    spec.dims.width = spec.dims.value_width;
  if (!spec.sliding.open()) spec.sliding = fitting_window(spec.seed);
  return spec;
}

// The keys whose sum of exponentials the lse is of.
level_row summed_in_lse(const problem& p, level_row row) {
  if (!p.sink.empty() && p.rules.sink == lse_sink::left_out) row.keys -= 1;
  return row;
}

void judge_lse(judgement& j, const problem& p, const row_index& row, const level_row& summed,
               const contract& kept, double observed) {
  if (!is_power_of_two(summed.keys)) return;
  const bool base_two = p.rules.base == lse_base::two;
  const due lse{level_lse(summed, p.rules.base), level_row_bound(kept, summed).lse(base_two), 1,
                kept.lse};
  judge_element(j, lse, observed, place_of("lse", row, -1), "lse that is the logarithm of a count");
}

void judge_counted(judgement& j, const problem& p, const row_index& row,
                   const level_answer& counted, const contract& kept, const answer& a) {
  const level_row_bound bound(kept, counted.row);
  for (std::size_t d = 0; d < counted.columns.size(); ++d) {
    const auto column = static_cast<std::int64_t>(d);
    const due one{level_output(counted, d), bound.output(counted.columns[d]), counted.hull[d],
                  kept.output};
    judge_element(j, one, a.o.at(row.b, row.h, row.i, column), place_of("o", row, column),
                  "output that is a mean of integers");
  }
  if (a.lse)
    judge_lse(j, p, row, summed_in_lse(p, counted.row), kept, a.lse->at(row.b, row.h, row.i, 0));
}

// A row without keys is 0 where the profile says so, and no bias of -inf leaves a 0 / 0.
void judge_empty(judgement& j, const problem& p, const row_index& row, const answer& a) {
  const bool may_be_nan = p.bias && p.rules.on_infinite_bias == infinite_bias::weighs_0;
  if (p.rules.on_empty_row != empty_row::zero || may_be_nan) return;
  for (std::int64_t d = 0; d < p.dims.value_width; ++d)
    judge_element(j, {}, a.o.at(row.b, row.h, row.i, d), place_of("o", row, d),
                  "output of a row without keys");
}

judgement judge(const problem_spec& spec, examiner& subject) {
  const level_problem level = make_level_problem(spec);
  const problem& p = level.posed;
  const answer a = subject.ask(p);
  if (a.refusal) return *a.refusal;
  const contract& kept = subject.contract_for(p);
  if (!level_row_bound::covers(kept)) return judge_answer(p, a, subject.terms_for(p));
  judgement j;
  for_each_row(p.dims, [&](const row_index& row) {
    const level_answer counted = count_level_row(level, row);
    ++j.rows;
    if (counted.row.keys > 0)
      judge_counted(j, p, row, counted, kept, a);
    else if (counted.row.faint == 0)
      judge_empty(j, p, row, a);
  });
  return j;
}

}  // namespace

const property exact_answers_are_exact{
    .name = "exact_answers_are_exact",
    .theme = "definition",
    .statement =
        "Where every score that counts is 0, an output is the mean of the values and the lse the "
        "logarithm of their number: nothing may be rounded but what the contract rounds even then.",
    .method =
        "q or k is 0, or no coordinate is in both; 2^n keys are kept by the mask, window, length, "
        "bias or causal triangle itself, others are 1,000 below them; V holds small integers. The "
        "answer is known by counting.",
    .bound =
        "level_row_bound: 0 for a mean of 0 and half an ulp of the output for others, where the "
        "contract stores weights of 1 as 1; no growth with the number of keys where partial sums "
        "are integers",
    .proof = "derivation/bounds/exact_sums.md",
    .claim = "row_sum",
    .needs = "nothing",
    .catches =
        "a key in thousands dropped, read twice or added; tails, splits and pages off by one; sums "
        "of too few bits; sinks, masks and biases that keep or lose a key",
    .admits = feature_set::all().without(feature::dropout).without(feature::alibi),
    .groups = feature_set::all().without(feature::dropout).without(feature::alibi),
    .long_rows = true,
    .large_calls = 2,
    .base_problems = 16,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest

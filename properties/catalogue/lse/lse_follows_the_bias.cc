#include <algorithm>
#include <cmath>

#include "properties/catalogue/catalogue.h"
#include "properties/paired_problems.h"
#include "reference/random.h"
#include "reference/semantics/profiles.h"

namespace attest {
namespace {

enum stream : std::uint64_t { grid_of_bias = 544, shift_of_bias };

constexpr double grid = 0.25;
constexpr std::int64_t most_steps = 16;  // bias and sink: at most 4, on the grid

// The shift comes after the cap: where the cap acts last it would not be one.
std::optional<problem_spec> adapt(problem_spec spec, const subject_info& subject) {
  if (!spec.bias_axes) return std::nullopt;
  if (find_profile(subject.profile).caps_bias()) spec.soft_cap = 0;
  const bool is_extreme =
      spec.regime == value_regime::negative_scores || spec.regime == value_regime::near_overflow;
  if (is_extreme) spec.regime = value_regime::normal;
  return spec;
}

// On the grid, so that shifts of whole numbers are exact.
double on_grid(double x) {
  return grid * std::clamp(std::round(x / grid), -double{most_steps}, double{most_steps});
}

void move_to_grid(problem& p) {
  for_each_index(p.dims.score_sizes(), [&](const index4& i) {
    if (const double b = p.bias->at(i); std::isfinite(b)) p.bias->set(i, on_grid(b));
  });
  for (double& s : p.sink) s = on_grid(s);
}

// The largest shift that can be added exactly, the sums being multiples of the grid, and that the
// contract's score stages resolve: with u T above 2^-9 or so no bound decides anything.
double largest_shift(const format& bias, const contract& c) {
  const int scores = std::min({c.bias_sum.number->precision, c.score_storage.number->precision,
                               c.exponent.number->precision});
  const double exact = grid * (power_of_two(bias.precision) - most_steps);
  return std::min(exact, power_of_two(std::max(0, scores - 10)));
}

// A whole number, 1 at least.
double shift_for(const problem& p, const contract& c, std::uint64_t seed) {
  constexpr double shifts[] = {1, -8, 24, -100, 1000, -8000};
  const double most = largest_shift(p.bias->element(), c);
  double shift = shifts[random_below(seed, shift_of_bias, 0, std::size(shifts))];
  while (std::fabs(shift) > most) shift = std::trunc(shift / 2);
  return shift;
}

problem shifted(const problem& p, double shift) {
  problem other = p;
  for_each_index(p.dims.score_sizes(), [&](const index4& i) {
    if (std::isfinite(p.bias->at(i))) other.bias->set(i, p.bias->at(i) + shift);
  });
  for (double& s : other.sink) s += shift;
  return other;
}

judgement judge(const problem_spec& spec, examiner& subject) {
  problem p = materialise(spec);
  move_to_grid(p);
  const double shift = shift_for(p, subject.contract_for(p), spec.seed);
  return judge_pair(p, shifted(p, shift), subject, "answer after a shift of bias and sink",
                    [&](const row_index&) {
                      return known_change{shift, 0};
                    });
}

}  // namespace

const property lse_follows_the_bias{
    .name = "lse_follows_the_bias",
    .theme = "lse",
    .statement =
        "A constant added to every bias, and to the sink, moves lse by it and leaves the "
        "output as it is, whatever the scale and the soft cap.",
    .method = "Bias and sink on a grid of quarters; 1 to 8000, of either sign, is added exactly.",
    .bound = "the sum of forward_bound of both problems",
    .proof = "derivation/bounds/probes.md#pairs",
    .claim = "shift",
    .needs = "a bias; the soft cap before it",
    .catches =
        "lse without the bias or the sink, in another base, or of the last tile only; a bias "
        "that is scaled or capped; a maximum that starts at a finite number",
    .admits = feature_set::all().without(feature::alibi),
    .groups = feature_set::all().without(feature::alibi).without(feature::lse),
    .plain_group = false,
    .base_problems = 4,
    .scorers = every_scorer,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest

#include <algorithm>
#include <cmath>

#include "properties/catalogue/catalogue.h"
#include "properties/judge.h"
#include "properties/weights_probe.h"
#include "reference/elementary/elementary.h"
#include "reference/formats/rounding.h"
#include "reference/random.h"

namespace attest {
namespace {

enum stream : std::uint64_t { start_of_sweep = 320 };

constexpr std::int64_t rows_per_problem = 1024;

std::optional<problem_spec> adapt(problem_spec spec, const subject_info& subject) {
  spec.dims.keys = 2;
  const std::int64_t heads = spec.dims.batch * spec.dims.query_heads;
  const bool long_queries = subject.features.has(feature::cross_lengths);
  spec.dims.queries = long_queries ? (rows_per_problem + heads - 1) / heads : 2;
  if (!long_queries) spec.dims.batch = rows_per_problem / (2 * spec.dims.query_heads);
  spec.regime = value_regime::normal;
  if (spec.bias_axes) spec.bias_axes = every_axis;
  if (spec.scale == 0.0) spec.scale = 2;
  return spec;
}

double scale_of(const problem& p) { return p.scale_or_usual(); }

// Differences that leave the smaller weight a normal number, up to 80.
double widest_difference(const contract& c) {
  const auto range = [](const format& f, double weight_of_one) {
    return -log_double(smallest_normal(f) / weight_of_one);
  };
  return std::min({80.0, range(*c.output, 1), range(*c.weight_storage.number, c.weight_of_one),
                   range(*c.exponent.number, 1)});
}

// The difference meant for a row: all rows together sweep the range evenly.
class sweep {
 public:
  sweep(const problem& p, const contract& c, std::uint64_t seed)
      : dims_(p.dims),
        widest_(widest_difference(c)),
        start_(random_unit(seed, start_of_sweep, 0)) {}

  double at(const row_index& row) const {
    const std::int64_t number = (row.b * dims_.query_heads + row.h) * dims_.queries + row.i;
    const auto rows = static_cast<double>(dims_.batch * dims_.query_heads * dims_.queries);
    return widest_ * (2 * (static_cast<double>(number) + start_) / rows - 1);
  }

 private:
  const shape& dims_;
  double widest_, start_;
};

// Keys 0 and e_0: the first coordinate of q is the difference of the scores, short of the scale.
// With a bias both keys are 0 and the bias of the second makes the difference.
problem swept_problem(const problem_spec& spec, const contract& c) {
  problem p = materialise(spec);
  const sweep differences(p, c, spec.seed);
  constexpr rounding saturating{.overflow = overflow_mode::saturate};
  for_each_index(p.k.sizes(),
                 [&](const index4& i) { p.k.set(i, !p.bias && i[2] == 1 && i[3] == 0 ? 1 : 0); });
  for_each_row(p.dims, [&](const row_index& row) {
    const double difference = differences.at(row);
    p.q.set({row.b, row.h, row.i, 0},
            round_to(p.q.element(), saturating, difference / scale_of(p)));
    if (!p.bias) return;
    p.bias->set({row.b, row.h, row.i, 0}, 0);
    p.bias->set({row.b, row.h, row.i, 1}, round_to(p.bias->element(), {}, difference));
  });
  return p;
}

double capped(const problem& p, double score) {
  return p.soft_cap > 0 ? p.soft_cap * tanh_double(score / p.soft_cap) : score;
}

// t_1 - t_0 as the definition gives it, to a few roundings of a double.
double score_difference(const problem& p, const row_index& row) {
  if (!p.bias) return capped(p, scale_of(p) * p.q.at(row.b, row.h, row.i, 0));
  const double bias = p.bias->at({row.b, row.h, row.i, 1});
  return p.rules.caps_bias() ? capped(p, bias) : bias;
}

// Within a weight's bound lies no other logarithm than this far away.
double log_error(double weight, double bound) {
  return bound < weight ? -log1p_double(-bound / weight) : std::numeric_limits<double>::infinity();
}

void judge_row(judgement& j, const problem& p, const row_reference& row, const row_index& place,
               const observed_weights& weights) {
  const due first = row.output(0), second = row.output(1);
  const double difference = score_difference(p, place);
  const double rounded = 0x1p-48 * (1 + std::fabs(difference));
  const double bound =
      log_error(first.value.high, first.bound) + log_error(second.value.high, second.bound);
  const double a = weights.at(place, 0), b = weights.at(place, 1);
  if (std::isinf(bound)) {
    ++j.undecided;
    return;
  }
  const double scale = std::fmax(1, std::fabs(difference));  // equal weights would be this far off
  judge_element(j, {{difference, 0, 0}, bound + rounded, scale}, log_double(b) - log_double(a),
                place_of("log of the ratio of weights", place, -1),
                "difference of two scores, read off the weights");
}

judgement judge(const problem_spec& spec, examiner& subject) {
  const terms on = subject.terms_for(materialise(spec));
  const problem p = swept_problem(spec, on.kept);
  const observed_weights weights = read_weights(p, subject);
  if (weights.refusal) return *weights.refusal;
  const problem probe = one_hot_columns_at_once(p);
  judgement j;
  certified_rows rows(probe);
  for_each_row(p.dims, [&](const row_index& place) {
    const row_reference row(rows, on, place);
    ++j.rows;
    if (row.bound().in_domain())
      judge_row(j, p, row, place, weights);
    else
      ++j.out_of_domain;
  });
  return j;
}

// What may make the difference.
constexpr feature_set sources = feature_set()
                                    .with(feature::scale)
                                    .with(feature::bias)
                                    .with(feature::soft_cap)
                                    .with(feature::sink);

constexpr feature_set admitted = sources.with(feature::grouped_heads)
                                     .with(feature::cross_lengths)
                                     .with(feature::value_width)
                                     .with(feature::lse);

}  // namespace

const property weight_ratio_is_exp_of_score_difference{
    .name = "weight_ratio_is_exp_of_score_difference",
    .theme = "scores",
    .statement = "The weights of two keys have the ratio exp(t - u) of their scores t and u.",
    .method =
        "Two keys; the difference of their scores sweeps [-80, 80] over a thousand rows, from "
        "q, through a soft cap, or from a bias. One-hot columns of V read both weights; the "
        "log of their ratio must be the difference.",
    .bound = "forward_bound of both weights, through the logarithm",
    .proof = "derivation/bounds/probes.md#ratio",
    .claim = "exp_law",
    .needs = "nothing",
    .catches =
        "approximate exponentials, whose error is periodic in the score; a wrong scale, base "
        "or soft cap; a bias that is scaled or capped",
    .admits = admitted,
    .groups = admitted.without(feature::lse),
    .base_problems = 4,
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest

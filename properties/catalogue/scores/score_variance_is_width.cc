#include <cmath>

#include "properties/catalogue/catalogue.h"
#include "properties/judge.h"
#include "properties/weights_probe.h"
#include "reference/elementary/elementary.h"
#include "reference/random.h"

namespace attest {
namespace {

enum stream : std::uint64_t { signs_of_q = 224, signs_of_k };

constexpr std::int64_t draws_per_problem = 4096;

// Two keys k and -k, components +-1: the scores of a query are c q.k and -c q.k, and their
// difference 2 c q.k is read off the ratio of the two weights. Given k, the q.k of different
// queries are independent sums of D signs: variance D.
std::optional<problem_spec> adapt(problem_spec spec, const subject_info& subject) {
  spec.dims.keys = 2;
  const std::int64_t rows = spec.dims.batch * spec.dims.query_heads;
  spec.dims.queries =
      subject.features.has(feature::cross_lengths) ? (draws_per_problem + rows - 1) / rows : 2;
  if (!subject.features.has(feature::cross_lengths))
    spec.dims.batch = draws_per_problem / (2 * spec.dims.query_heads);
  spec.regime = value_regime::constant;
  spec.scale.reset();
  spec.placed = layout::bhld;
  return spec;
}

double sign(std::uint64_t seed, std::uint64_t stream_number, const index4& i) {
  const std::uint64_t number =
      (static_cast<std::uint64_t>(i[0]) << 44) ^ (static_cast<std::uint64_t>(i[1]) << 34) ^
      (static_cast<std::uint64_t>(i[2]) << 14) ^ static_cast<std::uint64_t>(i[3]);
  return random_below(seed, stream_number, number, 2) == 0 ? 1 : -1;
}

problem signed_problem(const problem_spec& spec) {
  problem p = materialise(spec);
  for_each_index(p.q.sizes(), [&](const index4& i) { p.q.set(i, sign(spec.seed, signs_of_q, i)); });
  for_each_index(p.k.sizes(), [&](const index4& i) {
    const double first = sign(spec.seed, signs_of_k, {i[0], i[1], 0, i[3]});
    p.k.set(i, i[2] == 0 ? first : -first);
  });
  return p;
}

// Exact: a sum of D signs.
double dot(const problem& p, const row_index& row) {
  double sum = 0;
  for (std::int64_t t = 0; t < p.dims.width; ++t)
    sum += p.q.at(row.b, row.h, row.i, t) * p.k.at(row.b, p.kv_head(row.h), 0, t);
  return sum;
}

// The score that two weights show, and how far the bounds of the weights let it be off: infinitely
// far where a weight is smaller than its bound. Weights that are not positive show NaN.
struct recovered {
  double score;  // c q.k
  double error;
};

double log_error(double weight, double bound) {
  return bound < weight ? -log1p_double(-bound / weight) : std::numeric_limits<double>::infinity();
}

recovered recover(certified_rows& rows, const terms& on, const row_index& row,
                  const observed_weights& weights) {
  const problem& probe = rows.posed();
  const row_reference reference(rows, on, row);
  const auto error = [&](std::size_t n) {
    const double bound = probe.dims.value_width > 1
                             ? reference.output(static_cast<std::int64_t>(n)).bound
                             : reference.output(0).bound;
    return log_error(reference.exact().keys[n].weight, bound);
  };
  const double a = weights.at(row, 0), b = weights.at(row, 1);
  const double score = a > 0 && b > 0 ? (log_double(a) - log_double(b)) / 2
                                      : std::numeric_limits<double>::quiet_NaN();
  return {score, (error(0) + error(1)) / 2 + 0x1p-40};
}

// Half-width of the interval that holds the mean of N squares of standardised sums of D signs,
// around 1, except with probability false_alarm on either side. Sums of signs are strictly
// sub-Gaussian, so the upper tail is at most that of chi^2 (Chernoff: N/2 (x - ln(1 + x)) =
// ln(1/p)); the lower follows from E[Y^2] = 3 - 2/D by Bernstein's inequality for non-negative
// variables: N x^2 / (2 (3 - 2/D)) = ln(1/p).
constexpr double false_alarm = 1e-9;

double lower_width(double n, double width) {
  return std::sqrt(2 * (3 - 2 / width) * -log_double(false_alarm) / n);
}

double upper_width(double n) {
  const double target = 2 * -log_double(false_alarm) / n;
  double low = 0, high = 64;
  for (int step = 0; step < 200; ++step) {
    const double x = (low + high) / 2;
    (x - log1p_double(x) < target ? low : high) = x;
  }
  return high;
}

struct sums {
  double observed = 0;  // of squares of recovered scores
  double exact = 0;     // of squares of exact ones
  double error = 0;     // by which the two may differ
  double count = 0;
};

// The variance of the same draws, with what the bounds of the weights allow.
void judge_same_draws(judgement& j, const sums& s) {
  judge_element(j, {{s.exact / s.count, 0, 0}, s.error / s.count, s.exact / s.count, &f64},
                s.observed / s.count, "all rows",
                "variance of the scores against that of the same draws");
}

// The variance against 1, which is Var(q.k) = D after the scale.
void judge_against_width(judgement& j, const sums& s, double width) {
  const double allowance = s.error / s.count;
  const double seen = s.observed / s.count;
  const double bound = (seen < 1 ? lower_width(s.count, width) : upper_width(s.count)) + allowance;
  constexpr double never_proved = std::numeric_limits<double>::infinity();
  judge_element(j, {{1, 0, 0}, never_proved, 0, &f64, bound}, seen, "all rows",
                "variance of the scaled scores (1 if Var(q.k) = D)");
}

judgement judge(const problem_spec& spec, examiner& subject) {
  const problem p = signed_problem(spec);
  const observed_weights weights = read_weights(p, subject);
  if (weights.refusal) return *weights.refusal;
  const problem probe = one_hot_columns(p, 0);
  const double c = 1 / std::sqrt(static_cast<double>(p.dims.width));
  judgement j;
  sums s;
  certified_rows rows(probe);
  for_each_row(p.dims, [&](const row_index& row) {
    ++j.rows;
    const recovered seen = recover(rows, subject.terms_for(p), row, weights);
    const double exact = c * dot(p, row);
    if (!std::isfinite(seen.error)) return;
    s.observed += seen.score * seen.score;
    s.exact += exact * exact;
    s.error += seen.error * (2 * std::fabs(exact) + seen.error) + 0x1p-40 * exact * exact;
    s.count += 1;
  });
  const bool enough = s.count > 0.99 * static_cast<double>(j.rows) && s.exact > 0;
  if (!enough) return j;  // the contract's arithmetic cannot resolve the weights: undecided
  judge_same_draws(j, s);
  judge_against_width(j, s, static_cast<double>(p.dims.width));
  return j;
}

constexpr feature_set admitted = feature_set()
                                     .with(feature::grouped_heads)
                                     .with(feature::cross_lengths)
                                     .with(feature::value_width)
                                     .with(feature::lse);

}  // namespace

const property score_variance_is_width{
    .name = "score_variance_is_width",
    .theme = "scores",
    .statement =
        "Var(q.k) = D for independent components of variance 1, so scaled scores have variance 1.",
    .method =
        "Components +-1, keys k and -k: the ratio of the two weights gives back c q.k for each of "
        "4096 queries. "
        "The mean square is compared with that of the same draws, and with 1.",
    .bound =
        "same draws: forward_bound of the weights through the logarithm. Against 1: Chernoff and "
        "Bernstein "
        "bounds, false-alarm probability 2e-9 a problem",
    .proof = "derivation/bounds/forward.md#variance",
    .claim = "variance_dk",
    .needs = "the default scale 1 / sqrt(D)",
    .catches =
        "no scale, the scale of the model's width or of another head width, a scale applied twice, "
        "approximate "
        "exponentials",
    .admits = admitted,
    .groups = feature_set().with(feature::grouped_heads),
    .base_problems = 1,
    .scorers = {scorer::scaled_dot},
    .adapt = adapt,
    .judge = judge,
};

}  // namespace attest

#include "reference/exact/exact_row.h"

#include <algorithm>
#include <limits>

#include "reference/definition/attention.h"
#include "reference/exact/member_row.h"
#include "reference/exact/row_error.h"
#include "reference/exact/score_size.h"
#include "reference/multiprecision/mpfr_real.h"

namespace attest {
namespace {

using real = mpfr_real;

// |x - high - low| is exact: each difference keeps fewer bits than x. The error, at least 16 units
// in the last place of x, has room for the rounding of the sum.
enclosure enclose(const real& x, const real& error) {
  const double high = to_double(x);
  if (!std::isfinite(high)) return {high, 0, 0};
  const real rest = x - real(high);
  const double low = to_double(rest);
  return {high, low, double_above(abs(rest - real(low)) + error)};
}

// A logit of -cap has no bias left in it.
double bias_size(const problem& p, const row_index& row, std::int64_t j) {
  const bool added = has_bias(p) && !is_capped_mask(p, row, j);
  return added ? std::fabs(bias_of(p, row, j)) : 0;
}

// The score before the bias is the logit less the bias, where the cap comes first.
double capped_size(const problem& p, const row_index& row, std::int64_t j, const real& logit) {
  if (!has_bias(p) || p.rules.caps_bias()) return std::fabs(to_double(logit));
  return std::fabs(to_double(logit - real(bias_of(p, row, j))));
}

exact_key describe_key(const problem& p, const row_index& place, std::int64_t j, const real& logit,
                       double scale) {
  exact_key key{.key = j,
                .logit = to_double(logit),
                .capped = capped_size(p, place, j, logit),
                .bias = bias_size(p, place, j)};
  const score_size size = size_of_product(p, place, j);
  key.unscaled = size.terms;
  key.operands = size.operands;
  key.magnitude = scale * key.unscaled;
  return key;
}

void describe_keys(const problem& p, const row_index& place, const attention_row<real>& row,
                   exact_row& result) {
  for (std::size_t n = 0; n < row.keys.size(); ++n)
    result.keys.push_back(describe_key(p, place, row.keys[n], row.scores[n], result.scale));
  if (!p.sink.empty()) {
    const double sink = p.sink[static_cast<std::size_t>(place.h)];
    result.keys.push_back({.key = sink_key, .logit = sink, .capped = std::fabs(sink)});
  }
}

std::vector<real> logits_of(const problem& p, const row_index& place,
                            const attention_row<real>& row) {
  std::vector<real> logits = row.scores;
  if (!p.sink.empty()) logits.push_back(real(p.sink[static_cast<std::size_t>(place.h)]));
  return logits;
}

// Gaps and mass, and the weight of the sink, which the definition leaves out. A weight is exp(t -
// M) / l, so one of them gives l; mpfr_real lets no exponential be 0.
void describe_weights(const std::vector<real>& logits, const std::vector<real>& weights,
                      exact_row& result) {
  const auto greatest = std::max_element(logits.begin(), logits.end());
  const auto position = static_cast<std::size_t>(greatest - logits.begin());
  const real mass = position < weights.size() ? real(1) / weights[position]
                    : weights.empty()         ? real(1)
                                      : exp(real(logits.front() - *greatest)) / weights.front();
  result.greatest = to_double(*greatest);
  result.log_mass = to_double(log(mass));
  for (std::size_t n = 0; n < logits.size(); ++n) {
    result.keys[n].gap = to_double(*greatest - logits[n]);
    result.keys[n].weight =
        to_double(n < weights.size() ? weights[n] : exp(real(logits[n] - *greatest)) / mass);
  }
}

// Room for the roundings of a sum of non-negative terms, in double or better.
constexpr double raise = 1 + 0x1p-20;

// sum a |v|, by double where nothing in it can underflow; -1 where it can.
double quick_magnitude(const problem& p, const row_index& place, const exact_row& row,
                       std::int64_t d) {
  constexpr double smallest_weight = 0x1p-1022, smallest_sum = 0x1p-900;
  double sum = 0;
  for (std::size_t n = 0; n < row.keys.size(); ++n) {
    if (row.keys[n].weight < smallest_weight) return -1;
    sum += row.keys[n].weight * std::fabs(row.value(p, place, n, d));
  }
  return std::isfinite(sum) && sum > smallest_sum ? sum : -1;
}

real weighted_magnitude(const problem& p, const row_index& place, const attention_row<real>& row,
                        std::int64_t d) {
  real sum(0);
  for (std::size_t n = 0; n < row.keys.size(); ++n) {
    sum = sum + row.weights[n] * real(std::fabs(met_value(p, place, row.keys[n], d)));
  }
  return sum;
}

// A weight below 2^vanishing may be off by that. Half of it in the exponent makes up for every v.
real vanished(const exact_row& row) {
  const auto lost = [](const exact_key& k) { return k.gap >= -least_exponent_argument / 2; };
  const bool any = std::any_of(row.keys.begin(), row.keys.end(), lost);
  return any ? dyadic_real(1, vanishing / 2) : real(0);
}

class error_of_row {
 public:
  error_of_row(const row_size& size, int bits, const exact_row& row)
      : exponent_(error_exponent(size, bits)), vanished_(vanished(row)) {}

  // Of a sum of weights times values whose sizes, weighted so, sum to `magnitude`.
  real of(const real& magnitude) const {
    if (magnitude == real(0)) return magnitude;
    if (exponent_ > -2) return real(std::numeric_limits<double>::infinity());
    return scaled(magnitude * real(raise), exponent_) + vanished_;
  }

 private:
  int exponent_;
  real vanished_;
};

// The mean of v where an empty row is that; otherwise what stands for it is exact.
real empty_row_magnitude(const problem& p, const row_index& place, std::int64_t d) {
  if (rule_of_empty_row(p, place) != empty_row::mean_of_values) return real(0);
  real sum(0);
  for (std::int64_t j = 0; j < p.dims.keys; ++j)
    sum = sum + real(std::fabs(met_value(p, place, j, d)));
  return p.dims.keys == 0 ? sum : sum / real(static_cast<double>(p.dims.keys));
}

real magnitude(const problem& p, const row_index& place, const attention_row<real>& row,
               const exact_row& described, std::int64_t d) {
  if (described.empty()) return empty_row_magnitude(p, place, d);
  const double quick = quick_magnitude(p, place, described, d);
  return quick >= 0 ? real(quick) : weighted_magnitude(p, place, row, d);
}

void enclose_answers(const problem& p, const row_index& place, const attention_row<real>& row,
                     const error_of_row& error, exact_row& result) {
  result.lse = enclose(as_declared(p.rules, row.lse), error.of(real(result.empty() ? 0 : 1)));
  for (std::int64_t d = 0; d < p.dims.value_width; ++d)
    result.output.push_back(enclose(row.output[static_cast<std::size_t>(d)],
                                    error.of(magnitude(p, place, row, result, d))));
}

// The keys of the row, or all where it is empty and its output may be their mean.
row_size size_of(const problem& p, const row_index& place) {
  row_size size = size_of_row(p, place, key_set(p, place));
  size.summands += p.dims.keys;
  return size;
}

bool is_softmax_of_products(const problem& p) {
  return p.rules.is_softmax() && p.rules.scores_by_products();
}

exact_row evaluate(const problem& p, const row_index& place, const row_size& size, int bits) {
  const working_precision scope(bits);
  const attention_row<real> row = attention<real>(p, place);
  exact_row result;
  result.scale = std::fabs(to_double(scale_of<real>(p)));
  describe_keys(p, place, row, result);
  if (!result.empty()) describe_weights(logits_of(p, place, row), row.weights, result);
  enclose_answers(p, place, row, error_of_row(size, bits, result), result);
  return result;
}

}  // namespace

double exact_row::value(const problem& p, const row_index& place, std::size_t n,
                        std::int64_t d) const {
  return keys[n].key == sink_key ? 0 : met_value(p, place, keys[n].key, d);
}

exact_row compute_exact_row(const problem& p, const row_index& place, int bits) {
  if (!is_softmax_of_products(p)) return compute_member_row(p, place, bits);
  return evaluate(p, place, size_of(p, place), bits);
}

exact_row compute_exact_row(const problem& p, const row_index& place) {
  if (!is_softmax_of_products(p)) return compute_member_row(p, place);
  const row_size size = size_of(p, place);
  return evaluate(p, place, size, settling_bits(size));
}

}  // namespace attest

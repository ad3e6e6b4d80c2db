#include "reference/exact/exact_row.h"

#include <algorithm>

#include "reference/definition/attention.h"
#include "reference/multiprecision/mpfr100.h"

namespace attest {
namespace {

using real = mpfr100;

double to_double(const real& x) { return x.convert_to<double>(); }

// Error budget, with eps = 2^-332 (MPFR rounds every operation to 334 bits):
//   t_j            (D + 4) eps T_j + eps (cap and bias)            each score
//   a_j            relative 2 max_j(error of t_j) + (n + 4) eps    two scores and the sum
//   o, lse         sum of those, times sum a|v| (or 1)
//   high + low     2^-105 of the value: two roundings to double, halved by nearest
// error_factor bounds the relative error of a weight, doubled for what the first-order view leaves
// out.
double error_factor(const std::vector<exact_key>& keys, const shape& dims) {
  constexpr double eps = 0x1p-332;
  double logit_error = 0;
  for (const exact_key& k : keys)
    logit_error = std::max(logit_error, static_cast<double>(dims.width + 6) *
                                            (k.magnitude + k.capped + k.bias + 1) * eps);
  const double factor = 4 * (logit_error + static_cast<double>(keys.size() + 8) * eps);
  return factor < 0.25 ? 2 * factor : std::numeric_limits<double>::infinity();
}

enclosure enclose(const real& x, double error) {
  const double high = to_double(x);
  if (!std::isfinite(high)) return {high, 0, 0};
  const double low = to_double(x - real(high));
  return {high, low, 0x1p-104 * std::fabs(high) + error};
}

double bias_size(const problem& p, const row_index& row, std::int64_t j) {
  return p.bias ? std::fabs(p.bias->at(row.b, row.h, row.i, j)) : 0;
}

// The score before the bias is the logit less the bias, where the cap comes first.
double capped_size(const problem& p, const row_index& row, std::int64_t j, const real& logit) {
  if (!p.bias || p.rules.cap == cap_order::after_bias) return std::fabs(to_double(logit));
  return std::fabs(to_double(logit - real(p.bias->at(row.b, row.h, row.i, j))));
}

// sum |q_t k_t| and sum |q_t| + |k_t| in double, raised by the relative error of their sums.
void measure_operands(const problem& p, const row_index& row, exact_key& key) {
  for (std::int64_t t = 0; t < p.dims.width; ++t) {
    const double q = std::fabs(p.q.at(row.b, row.h, row.i, t));
    const double k = std::fabs(p.k.at(row.b, p.kv_head(row.h), key.key, t));
    key.unscaled += q * k;
    key.operands += q + k;
  }
  const double raise = 1 + static_cast<double>(2 * p.dims.width + 4) * 0x1p-52;
  key.unscaled *= raise;
  key.operands *= raise;
}

exact_key describe_key(const problem& p, const row_index& place, std::int64_t j, const real& logit,
                       double scale) {
  exact_key key{.key = j,
                .logit = to_double(logit),
                .capped = capped_size(p, place, j, logit),
                .bias = bias_size(p, place, j)};
  measure_operands(p, place, key);
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
// M) / l, so one of them gives l; MPFR's exponents are too wide for it to be 0.
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

double weighted_magnitude(const problem& p, const row_index& place, const exact_row& row,
                          std::int64_t d) {
  double sum = 0;
  for (std::size_t n = 0; n < row.keys.size(); ++n)
    sum += row.keys[n].weight * std::fabs(row.value(p, place, n, d));
  return sum;
}

}  // namespace

double exact_row::value(const problem& p, const row_index& place, std::size_t n,
                        std::int64_t d) const {
  return keys[n].key == sink_key ? 0 : p.v.at(place.b, p.kv_head(place.h), keys[n].key, d);
}

exact_row compute_exact_row(const problem& p, const row_index& place) {
  const attention_row<real> row = attention<real>(p, place);
  exact_row result;
  result.scale = std::fabs(to_double(scale_of<real>(p)));
  describe_keys(p, place, row, result);
  if (!result.empty()) describe_weights(logits_of(p, place, row), row.weights, result);
  const double factor = result.empty() ? 0 : error_factor(result.keys, p.dims);
  result.lse = enclose(as_declared(p.rules, row.lse), factor);
  for (std::size_t d = 0; d < row.output.size(); ++d)
    result.output.push_back(
        enclose(row.output[d],
                factor * weighted_magnitude(p, place, result, static_cast<std::int64_t>(d))));
  return result;
}

}  // namespace attest

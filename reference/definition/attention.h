// The definition of attention, one function an equation. Written to be read and believed; speed
// lives elsewhere.
//
// For each batch row b, query head h and query i, with g the KV head of h:
//
//   1. raw score   r_j = c scorer(q, k_j)                       scorer.h: q . k, and others
//   2. soft cap    p_j = cap tanh(r_j / cap)                    when there is a cap
//   3. bias        t_j = p_j + bias_ij, or + slope_h distance   neither scaled nor capped
//   4. key set     S = { j : kept }                             a masked key is not in the set
//   5. weights     a = normalizer(t)                            normalizer.h: softmax, and others
//   6. output      o = s sum_S m_ij a_j v_j                    s = m_ij = 1 without dropout
//   7. lse         ln(sum_S exp(t_j) + exp(sink))               of softmax alone
//
// With softmax a_j = exp(t_j) / (sum_S exp(t_k) + exp(sink)). c = 1 / sqrt(D) for a scaled dot
// product, of turned vectors too, and 1 for the other scorers, unless given.
// The semantics of the problem (semantics.h) says what is done otherwise.
//
// The number is a parameter: double, float, 50 and 100 digits, MPFR, or one that counts its
// operations.
#pragma once

#include <limits>
#include <vector>

#include "reference/definition/bias.h"
#include "reference/definition/dropout.h"
#include "reference/definition/key_set.h"
#include "reference/definition/normalizer.h"
#include "reference/definition/number.h"
#include "reference/definition/scorer.h"
#include "reference/problems/problem.h"

namespace attest {

// One row of attention. scores and weights go with keys; output has Dv entries.
template <Number T>
struct attention_row {
  std::vector<std::int64_t> keys;
  std::vector<T> scores;   // t_j
  std::vector<T> weights;  // a_j
  T lse{};
  std::vector<T> output;
};

template <Number T>
T scale_of(const problem& p) {
  if (p.scale) return T(*p.scale);
  if (!p.rules.divides_by_root_of_width()) return T(1);
  return T(T(1) / sqrt_of(T(static_cast<double>(p.dims.width))));
}

// Step 1.
template <Number T>
T raw_score(const problem& p, const row_index& row, std::int64_t j, const T& c) {
  return T(c * unscaled_score(scored_pair<T>{p, row, j}));
}

// Step 2.
template <Number T>
T soft_capped(const T& score, double cap) {
  if (!(cap > 0)) return score;
  return T(T(cap) * tanh_of(T(score / T(cap))));
}

// Steps 2 and 3, in the order that the semantics gives.
template <Number T>
T capped_and_biased(const problem& p, const row_index& row, std::int64_t j, const T& score) {
  if (is_capped_mask(p, row, j)) return T(-p.soft_cap);  // cap tanh(-inf)
  if (!has_bias(p)) return soft_capped(score, p.soft_cap);
  const T bias(bias_of(p, row, j));
  if (p.rules.caps_bias()) return soft_capped(T(score + bias), p.soft_cap);
  return T(soft_capped(score, p.soft_cap) + bias);
}

template <Number T>
T no_lse() {
  return T(std::numeric_limits<double>::quiet_NaN());
}

template <Number T>
T empty_row_lse(const semantics& rules) {
  if (!rules.is_softmax()) return no_lse<T>();
  const double infinity = std::numeric_limits<double>::infinity();
  return T(rules.on_empty_lse == empty_lse::plus_infinity ? infinity : -infinity);
}

// Step 7 without the sink.
template <Number T>
T lse_of_keys(const semantics& rules, const std::vector<T>& scores) {
  if (scores.empty()) return empty_row_lse<T>(rules);
  const exponential_terms<T> terms(scores);
  return T(terms.greatest + log_of(terms.sum));
}

// Steps 5 and 7. The maximum cancels from the weights. A sink takes weight, but is no key.
template <Number T>
void normalise(attention_row<T>& row, const problem& p, const std::vector<T>& logits) {
  if (!p.rules.is_softmax()) {
    row.weights = weights_of(p.rules.normalised_by, p.alpha, logits);
    row.lse = no_lse<T>();
    return;
  }
  const exponential_terms<T> terms(logits);
  row.weights = terms.weights();
  row.weights.resize(row.keys.size());
  const bool apart = logits.size() > row.keys.size() && p.rules.sink == lse_sink::left_out;
  row.lse = apart ? lse_of_keys(p.rules, row.scores) : T(terms.greatest + log_of(terms.sum));
}

// Step 6. A weight that is dropped has counted in step 5.
template <Number T>
std::vector<T> weighted_values(const problem& p, const row_index& place,
                               const attention_row<T>& row) {
  std::vector<T> output(static_cast<std::size_t>(p.dims.value_width), T(0));
  for (std::size_t n = 0; n < row.keys.size(); ++n) {
    if (drops(p, place, row.keys[n])) continue;
    for (std::size_t d = 0; d < output.size(); ++d)
      output[d] = output[d] + row.weights[n] * T(p.v.at(place.b, p.kv_head(place.h), row.keys[n],
                                                        static_cast<std::int64_t>(d)));
  }
  if (p.dropout_mask)
    for (T& o : output) o = T(p.dropout_scale) * o;
  return output;
}

// What the semantics gives an empty key set without a sink. A mean is of equal weights, of which
// dropout takes its part.
template <Number T>
std::vector<T> empty_row_output(const problem& p, const row_index& place) {
  const auto width = static_cast<std::size_t>(p.dims.value_width);
  const empty_row rule = rule_of_empty_row(p, place);
  if (rule == empty_row::nan)
    return std::vector<T>(width, T(std::numeric_limits<double>::quiet_NaN()));
  if (rule != empty_row::mean_of_values || p.dims.keys == 0) return std::vector<T>(width, T(0));
  attention_row<T> uniform;
  for (std::int64_t j = 0; j < p.dims.keys; ++j) uniform.keys.push_back(j);
  uniform.weights.assign(uniform.keys.size(), T(T(1) / T(static_cast<double>(p.dims.keys))));
  return weighted_values(p, place, uniform);
}

// Steps 1 to 7. lse is in base e whatever the semantics (as_declared converts it).
template <Number T>
attention_row<T> attention(const problem& p, const row_index& place) {
  attention_row<T> row;
  row.keys = key_set(p, place);
  const T c = scale_of<T>(p);
  for (std::int64_t j : row.keys)
    row.scores.push_back(capped_and_biased(p, place, j, raw_score(p, place, j, c)));
  std::vector<T> logits = row.scores;  // a sink is one more, without a value
  if (!p.sink.empty()) logits.push_back(T(p.sink[static_cast<std::size_t>(place.h)]));
  if (!logits.empty()) normalise(row, p, logits);
  if (logits.empty() || row.weights.size() < row.keys.size()) {  // no sum to divide by
    row = {};
    row.output = empty_row_output<T>(p, place);
    row.lse = empty_row_lse<T>(p.rules);
    return row;
  }
  row.output = weighted_values(p, place, row);
  return row;
}

// Computes: the lse in the base that the semantics declares.
template <Number T>
T as_declared(const semantics& rules, const T& lse) {
  return rules.base == lse_base::two ? T(lse / log_of(T(2))) : lse;
}

}  // namespace attest

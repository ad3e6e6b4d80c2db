// The gradients of attention: the derivatives dx, by every input x, of
//
//   L = sum do_id o_id + sum dlse_i lse_i
//
// where do and dlse are given. For each batch row b, query head h and query i, with g the KV head
// of h, back through the steps of attention.h:
//
//   6. output     dv_j += s m_ij a_j do, da_j = s m_ij do . v_j
//   7. lse        dt_j += dlse exp(t_j - lse), / ln 2 where the lse has base 2; of a sink likewise
//   5. weights    dt_j += the normalizer's                     normalizer_gradient.h
//   3. bias       dbias_ij += dt_j, or dslope_h += dt_j distance
//   2. soft cap   dr_j = dt_j (1 - tanh^2(r_j / cap))
//   1. raw score  dc += dr_j scorer(q, k_j); dq, dk_j and the parameters take the scorer's gradient
//                 of c dr_j                                    scorer_gradient.h
//
// A key outside of the key set takes part in nothing. A row without keys adds nothing, but where it
// is the mean of the values: each of them has its share of do. Softmax: dt_j = a_j (da_j - D) with
// D = sum a da = do . o.
// Source, for softmax: Dao et al., arXiv:2205.14135, appendix B.
#pragma once

#include <optional>
#include <vector>

#include "reference/definition/attention.h"
#include "reference/definition/normalizer_gradient.h"
#include "reference/definition/scorer_gradient.h"

namespace attest {

// The derivatives of a number by the outputs. Shapes: those of o and lse.
struct cotangents {
  tensor o;
  std::optional<tensor> lse;  // of the lse as the semantics declares it; absent: 0
};

// Shapes: those of the problem's inputs; of a bias, 1 along the axes that it is broadcast along.
// Empty where the problem has no such input.
template <class T>
struct attention_gradient {
  scorer_gradient<T> scored;  // of q, k and the parameters
  array4<T> v, bias;
  std::vector<T> sink, slopes;
  T scale{};
};

// Computes: the sizes of what a tensor holds, 1 along the axes that it is broadcast along; and the
// place there of an element.
inline index4 own_sizes(const tensor& t) {
  index4 sizes = t.sizes();
  for (std::size_t axis = 0; axis < 4; ++axis)
    if (t.where().strides[axis] == 0) sizes[axis] = 1;
  return sizes;
}
inline index4 own_place(const tensor& t, index4 i) {
  for (std::size_t axis = 0; axis < 4; ++axis)
    if (t.where().strides[axis] == 0) i[axis] = 0;
  return i;
}

template <Number T>
attention_gradient<T> no_gradient(const problem& p) {
  attention_gradient<T> none;
  none.scored.q = array4<T>(p.dims.q_sizes());
  none.scored.k = array4<T>(p.dims.k_sizes());
  none.v = array4<T>(p.dims.v_sizes());
  if (p.bias) none.bias = array4<T>(own_sizes(*p.bias));
  none.sink.assign(p.sink.size(), T(0));
  none.slopes.assign(p.slopes.size(), T(0));
  if (has_learnt_parameters(p.rules.scored_by))
    for (const tensor& t : p.parameters) none.scored.parameters.emplace_back(t.sizes());
  return none;
}

// The factor of do in what the weight of key j meets: s m_ij.
template <Number T>
T dropout_factor(const problem& p, const row_index& row, std::int64_t j) {
  return T(drops(p, row, j) ? 0 : p.dropout_mask ? p.dropout_scale : 1);
}

// Step 6, of the values.
template <Number T>
void add_values_gradient(const problem& p, const row_index& row, std::int64_t j, const T& weight,
                         const tensor& d_output, array4<T>& sums) {
  const T share(dropout_factor<T>(p, row, j) * weight);
  for (std::int64_t d = 0; d < p.dims.value_width; ++d)
    sums.add({row.b, p.kv_head(row.h), j, d}, T(share * T(d_output.at(row.b, row.h, row.i, d))));
}

// Step 6, of a weight.
template <Number T>
T weight_gradient(const problem& p, const row_index& row, std::int64_t j, const tensor& d_output) {
  T sum(0);
  for (std::int64_t d = 0; d < p.dims.value_width; ++d)
    sum = sum + T(d_output.at(row.b, row.h, row.i, d)) * T(p.v.at(row.b, p.kv_head(row.h), j, d));
  return T(dropout_factor<T>(p, row, j) * sum);
}

// dlse of base e.
template <Number T>
T lse_cotangent(const problem& p, const row_index& row, const cotangents& given) {
  if (!given.lse || !p.rules.is_softmax()) return T(0);
  return as_declared(p.rules, T(given.lse->at(row.b, row.h, row.i, 0)));
}

// What the steps back need of a row: logits and weights of the keys, then of the sink if there is
// one. Without weights there is no sum to divide by.
template <Number T>
struct weighed_row {
  std::vector<std::int64_t> keys;
  std::vector<T> logits, weights;
  T lse{};  // in base e
};

template <Number T>
weighed_row<T> weighed(const problem& p, const row_index& place) {
  attention_row<T> row = attention<T>(p, place);
  weighed_row<T> all{std::move(row.keys), std::move(row.scores), std::move(row.weights), row.lse};
  if (p.sink.empty()) return all;
  all.logits.push_back(T(p.sink[static_cast<std::size_t>(place.h)]));
  all.weights.push_back(exponential_terms<T>(all.logits).weights().back());
  return all;
}

// Step 7. Whether the sink, the logit after those of the keys, is in the lse is the semantics'.
template <Number T>
void add_lse_gradient(const problem& p, const weighed_row<T>& row, const T& d_lse,
                      std::vector<T>& d_logits) {
  const bool apart = p.rules.sink == lse_sink::left_out;
  const std::size_t count = apart ? row.keys.size() : row.logits.size();
  for (std::size_t n = 0; n < count; ++n)
    d_logits[n] = d_logits[n] + d_lse * exp_of(T(row.logits[n] - row.lse));
}

// 1 - tanh^2(score / cap)
template <Number T>
T soft_cap_slope(const T& score, double cap) {
  if (!(cap > 0)) return T(1);
  const T tanh = tanh_of(T(score / T(cap)));
  return T(T(1) - T(tanh * tanh));
}

// Step 3.
template <Number T>
void add_bias_gradient(const problem& p, const row_index& row, std::int64_t j, const T& d_bias,
                       attention_gradient<T>& sums) {
  if (p.bias) {
    sums.bias.add(own_place(*p.bias, {row.b, row.h, row.i, j}), d_bias);
  } else if (!p.slopes.empty()) {
    T& slope = sums.slopes[static_cast<std::size_t>(row.h)];
    slope = slope + d_bias * T(distance_of(p, row, j));
  }
}

// Steps 3 and 2, in the order that the semantics gives. Result: dr_j.
template <Number T>
T add_capped_gradient(const problem& p, const row_index& row, std::int64_t j, const T& raw,
                      const T& d_logit, attention_gradient<T>& sums) {
  if (is_capped_mask(p, row, j)) return T(0);  // -cap, whatever the score
  if (has_bias(p) && p.rules.caps_bias()) {
    const T d_sum(d_logit * soft_cap_slope(T(raw + T(bias_of(p, row, j))), p.soft_cap));
    add_bias_gradient(p, row, j, d_sum, sums);
    return d_sum;
  }
  add_bias_gradient(p, row, j, d_logit, sums);
  return T(d_logit * soft_cap_slope(raw, p.soft_cap));
}

// Steps 3 to 1 of one key.
template <Number T>
void add_logit_gradient(const problem& p, const row_index& row, std::int64_t j, const T& d_logit,
                        attention_gradient<T>& sums) {
  const scored_pair<T> pair{p, row, j};
  const T c = scale_of<T>(p), score = unscaled_score(pair);
  const T d_raw = add_capped_gradient(p, row, j, T(c * score), d_logit, sums);
  sums.scale = sums.scale + d_raw * score;
  add_score_gradient(pair, T(c * d_raw), sums.scored);
}

// A row without a sum to divide by.
template <Number T>
void add_empty_row_gradient(const problem& p, const row_index& row, const tensor& d_output,
                            array4<T>& sums) {
  if (rule_of_empty_row(p, row) != empty_row::mean_of_values) return;
  const T share(T(1) / T(static_cast<double>(p.dims.keys)));
  for (std::int64_t j = 0; j < p.dims.keys; ++j)
    add_values_gradient(p, row, j, share, d_output, sums);
}

// Steps 7 and 5: of the logits of the keys, and of the sink after them, which has no value.
template <Number T>
std::vector<T> all_logits_gradient(const problem& p, const row_index& place,
                                   const weighed_row<T>& row, const cotangents& given) {
  std::vector<T> d_weights;
  for (std::int64_t j : row.keys) d_weights.push_back(weight_gradient<T>(p, place, j, given.o));
  d_weights.resize(row.weights.size(), T(0));
  std::vector<T> d_logits =
      logits_gradient(p.rules.normalised_by, p.alpha, row.logits, row.weights, d_weights);
  if (p.rules.is_softmax()) add_lse_gradient(p, row, lse_cotangent<T>(p, place, given), d_logits);
  return d_logits;
}

// Steps 6 to 1 of one row.
template <Number T>
void add_row_gradient(const problem& p, const row_index& place, const weighed_row<T>& row,
                      const cotangents& given, attention_gradient<T>& sums) {
  if (row.weights.empty()) return add_empty_row_gradient(p, place, given.o, sums.v);
  const std::vector<T> d_logits = all_logits_gradient(p, place, row, given);
  for (std::size_t n = 0; n < row.keys.size(); ++n) {
    add_values_gradient(p, place, row.keys[n], row.weights[n], given.o, sums.v);
    add_logit_gradient(p, place, row.keys[n], d_logits[n], sums);
  }
  if (!p.sink.empty()) {
    T& sink = sums.sink[static_cast<std::size_t>(place.h)];
    sink = sink + d_logits.back();
  }
}

// Computes: all of them; row(p, place) gives the weighed_row of a place. Cost: three times the
//   products of the forward; memory of the gradients.
template <Number T, class Rows>
attention_gradient<T> gradient_of(const problem& p, const cotangents& given, const Rows& row) {
  attention_gradient<T> sums = no_gradient<T>(p);
  row_index at;
  for (at.b = 0; at.b < p.dims.batch; ++at.b)
    for (at.h = 0; at.h < p.dims.query_heads; ++at.h)
      for (at.i = 0; at.i < p.dims.queries; ++at.i)
        add_row_gradient(p, at, row(p, at), given, sums);
  return sums;
}

template <Number T>
attention_gradient<T> gradient_of(const problem& p, const cotangents& given) {
  return gradient_of<T>(p, given, weighed<T>);
}

}  // namespace attest

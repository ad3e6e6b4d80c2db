// Step 1 of the definition: what scores a key against a query, before the scale c.
//
//   scaled_dot, dot  q . k
//   general          q . W k                              W [D, D]
//   additive         w . tanh(W_q q + W_k k)              W_q, W_k [A, D], w [1, A]
//   concat           w . tanh(W [q; k])                   W [A, 2 D], w [1, A]
//   cosine           q . k / (|q| |k|), 0 where a norm is 0
//   mlp              w . relu(W [q; k] + b) + d           W [A, 2 D], b, w [1, A], d [1, 1]
//   rotary_halves    q' . k'                              cos, sin [L, R], L >= Lq and Lk
//   rotary_pairs     q' . k'                              likewise
//   elu_features     f(q) . f(k), f(x) = elu(x) + 1: x + 1, below 0 exp(x)
//   relu_features    f(q) . f(k), f(x) = max(x, 0)
//   exp_features     f(q) . f(k), f(x)_a = exp(w_a . x - x . x / 2)          w [A, D]
//
// The matrices are the parameters of the problem, in this order, one set a query head; tables of
// angles are the same for all. q' is q with the coordinates a and b of each of R pairs t turned by
// the angle of its position: q_a cos - q_b sin and q_b cos + q_a sin. Pairs are (t, t + R) or
// (2t, 2t + 1); what lies beyond 2 R stays. k' likewise. Features are those of linear attention
// (Katharopoulos et al., arXiv:2006.16236; Choromanski et al., arXiv:2009.14794), which leaves
// softmax out: its weights are ratios of the scores, or the scores.
#pragma once

#include "reference/definition/feature.h"
#include "reference/definition/key_set.h"
#include "reference/definition/number.h"
#include "reference/problems/problem.h"

namespace attest {

// A query and a key of a row, and the parameters of its head.
template <Number T>
struct scored_pair {
  const problem& p;
  const row_index& row;
  std::int64_t j;

  std::int64_t width() const { return p.dims.width; }
  T q(std::int64_t t) const { return T(p.q.at(row.b, row.h, row.i, t)); }
  T k(std::int64_t t) const { return T(p.k.at(row.b, p.kv_head(row.h), j, t)); }
  // [q; k]
  T joined(std::int64_t t) const { return t < width() ? q(t) : k(t - width()); }
  T parameter(std::size_t n, std::int64_t r, std::int64_t c) const {
    return T(p.parameters[n].at(0, row.h, r, c));
  }
};

template <Number T>
T dot_product(const scored_pair<T>& x) {
  T sum(0);
  for (std::int64_t t = 0; t < x.width(); ++t) sum = sum + x.q(t) * x.k(t);
  return sum;
}

// The coordinates of the t-th pair.
struct rotary_pair {
  std::int64_t a = 0, b = 0;
};

inline rotary_pair pair_of(scorer s, std::int64_t t, std::int64_t pairs) {
  return s == scorer::rotary_pairs ? rotary_pair{2 * t, 2 * t + 1} : rotary_pair{t, t + pairs};
}

// q' . k'
template <Number T>
T rotary_product(const scored_pair<T>& x) {
  const std::int64_t pairs = x.p.parameters[0].sizes()[3];
  const std::int64_t of_q = x.row.i + position_offset(x.p, x.row.b), of_k = x.j;
  T sum(0);
  for (std::int64_t t = 0; t < pairs; ++t) {
    const auto [a, b] = pair_of(x.p.rules.scored_by, t, pairs);
    const T q_cos = x.parameter(0, of_q, t), q_sin = x.parameter(1, of_q, t);
    const T k_cos = x.parameter(0, of_k, t), k_sin = x.parameter(1, of_k, t);
    sum = sum + T(x.q(a) * q_cos - x.q(b) * q_sin) * T(x.k(a) * k_cos - x.k(b) * k_sin);
    sum = sum + T(x.q(b) * q_cos + x.q(a) * q_sin) * T(x.k(b) * k_cos + x.k(a) * k_sin);
  }
  for (std::int64_t t = 2 * pairs; t < x.width(); ++t) sum = sum + x.q(t) * x.k(t);
  return sum;
}

// elu_features, relu_features
template <Number T>
T feature_of(scorer s, double x) {
  return s == scorer::relu_features ? positive_part<T>(x) : elu_plus_1<T>(x);
}

template <Number T>
T product_of_features(const scored_pair<T>& x) {
  T sum(0);
  for (std::int64_t t = 0; t < x.width(); ++t)
    sum = sum +
          feature_of<T>(x.p.rules.scored_by, x.p.q.at(x.row.b, x.row.h, x.row.i, t)) *
              feature_of<T>(x.p.rules.scored_by, x.p.k.at(x.row.b, x.p.kv_head(x.row.h), x.j, t));
  return sum;
}

template <Number T>
T product_of_exp_features(const scored_pair<T>& x) {
  T sum(0);
  for (std::int64_t a = 0; a < x.p.parameters[0].sizes()[2]; ++a) {
    T of_q(0), of_k(0);
    for (std::int64_t t = 0; t < x.width(); ++t) {
      of_q = of_q + x.parameter(0, a, t) * x.q(t) - T(x.q(t) * x.q(t)) / T(2);
      of_k = of_k + x.parameter(0, a, t) * x.k(t) - T(x.k(t) * x.k(t)) / T(2);
    }
    sum = sum + T(exp_of(of_q)) * T(exp_of(of_k));
  }
  return sum;
}

template <Number T>
T general_product(const scored_pair<T>& x) {
  T sum(0);
  for (std::int64_t s = 0; s < x.width(); ++s) {
    T projected(0);
    for (std::int64_t t = 0; t < x.width(); ++t)
      projected = projected + x.parameter(0, s, t) * x.k(t);
    sum = sum + x.q(s) * projected;
  }
  return sum;
}

template <Number T>
T cosine_of_angle(const scored_pair<T>& x) {
  T q_square(0), k_square(0);
  for (std::int64_t t = 0; t < x.width(); ++t) {
    q_square = q_square + x.q(t) * x.q(t);
    k_square = k_square + x.k(t) * x.k(t);
  }
  if (!(T(0) < q_square) || !(T(0) < k_square)) return T(0);
  return T(dot_product(x) / T(sqrt_of(q_square) * sqrt_of(k_square)));
}

// The a-th entry of W_q q + W_k k, or of W [q; k].
template <Number T>
T hidden_sum(const scored_pair<T>& x, std::int64_t a) {
  const bool apart = x.p.rules.scored_by == scorer::additive;
  T sum(0);
  for (std::int64_t t = 0; t < 2 * x.width(); ++t) {
    const bool of_key = apart && t >= x.width();
    const T w = of_key ? x.parameter(1, a, t - x.width()) : x.parameter(0, a, t);
    sum = sum + w * x.joined(t);
  }
  return sum;
}

// additive, concat
template <Number T>
T sum_of_tanh(const scored_pair<T>& x) {
  const std::size_t weights = x.p.parameters.size() - 1;
  T sum(0);
  for (std::int64_t a = 0; a < x.p.parameters[weights].sizes()[3]; ++a)
    sum = sum + x.parameter(weights, 0, a) * tanh_of(hidden_sum(x, a));
  return sum;
}

template <Number T>
T output_of_hidden_layer(const scored_pair<T>& x) {
  T sum(0);
  for (std::int64_t a = 0; a < x.p.parameters[2].sizes()[3]; ++a) {
    const T hidden = max_of(T(hidden_sum(x, a) + x.parameter(1, 0, a)), T(0));
    sum = sum + x.parameter(2, 0, a) * hidden;
  }
  return T(sum + x.parameter(3, 0, 0));
}

template <Number T>
T unscaled_score(const scored_pair<T>& x) {
  switch (x.p.rules.scored_by) {
    case scorer::scaled_dot:
    case scorer::dot:
      return dot_product(x);
    case scorer::general:
      return general_product(x);
    case scorer::additive:
    case scorer::concat:
      return sum_of_tanh(x);
    case scorer::cosine:
      return cosine_of_angle(x);
    case scorer::mlp:
      return output_of_hidden_layer(x);
    case scorer::rotary_halves:
    case scorer::rotary_pairs:
      return rotary_product(x);
    case scorer::elu_features:
    case scorer::relu_features:
      return product_of_features(x);
    case scorer::exp_features:
      return product_of_exp_features(x);
  }
  return T(0);
}

}  // namespace attest

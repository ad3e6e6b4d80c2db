// Step 1 of the definition: what scores a key against a query, before the scale c.
//
//   scaled_dot, dot  q . k
//   general          q . W k                              W [D, D]
//   additive         w . tanh(W_q q + W_k k)              W_q, W_k [A, D], w [1, A]
//   concat           w . tanh(W [q; k])                   W [A, 2 D], w [1, A]
//   cosine           q . k / (|q| |k|), 0 where a norm is 0
//   mlp              w . relu(W [q; k] + b) + b_2         W [A, 2 D], b [1, A], w [1, A], b_2 [1,
//   1]
//
// The matrices are the parameters of the problem, in this order, one set a query head.
#pragma once

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
  }
  return T(0);
}

}  // namespace attest

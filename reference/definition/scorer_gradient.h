// Step 1 of the gradients: how a change of a score, before the scale c, goes back to its query, its
// key and the parameters, scorer by scorer as in scorer.h. ds is the derivative by that score.
//
//   scaled_dot, dot  dq = ds k, dk = ds q
//   general          dq = ds W k, dk = ds W^T q, dW = ds q k^T
//   additive, concat z = W [q; k], dw = ds tanh z, dz = ds w (1 - tanh^2 z), dW = dz [q; k]^T,
//                    d[q; k] = W^T dz
//   cosine           dq = ds (k / (|q| |k|) - s q / |q|^2), dk likewise; 0 where a norm is 0
//   mlp              as concat with dz = ds w [z + b > 0], db = dz, dd = ds
//   rotary_*         dq = ds k', turned back; dk likewise
//   *_features       dq = ds f'(q) f(k), dk likewise; exp_features:
//                    dq_t = ds sum_a f(q)_a f(k)_a (w_at - q_t)
//
// At a kink, relu at 0, the derivative is 0. Tables of angles and drawn features are constants:
// they have no gradient.
#pragma once

#include <vector>

#include "reference/definition/scorer.h"
#include "reference/tensors/array4.h"

namespace attest {

// Sums over all pairs of what each gives: of q and k with their sizes, of every parameter that has
// a gradient with its own.
template <class T>
struct scorer_gradient {
  array4<T> q, k;
  std::vector<array4<T>> parameters;
};

// Whether the parameters of a scorer are learnt.
inline bool has_learnt_parameters(scorer s) {
  return s == scorer::general || s == scorer::additive || s == scorer::concat || s == scorer::mlp;
}

// The pair of a score, and where what it gives is added up.
template <Number T>
struct pair_gradient {
  const scored_pair<T>& x;
  T ds;
  scorer_gradient<T>& sums;

  void add_q(std::int64_t t, const T& dq) { sums.q.add({x.row.b, x.row.h, x.row.i, t}, dq); }
  void add_k(std::int64_t t, const T& dk) {
    sums.k.add({x.row.b, x.p.kv_head(x.row.h), x.j, t}, dk);
  }
  // Of [q; k]
  void add_joined(std::int64_t t, const T& d) {
    if (t < x.width())
      add_q(t, d);
    else
      add_k(t - x.width(), d);
  }
  void add_parameter(std::size_t n, std::int64_t r, std::int64_t c, const T& d) {
    sums.parameters[n].add({0, x.row.h, r, c}, d);
  }
};

template <Number T>
void add_dot_gradient(pair_gradient<T> g) {
  for (std::int64_t t = 0; t < g.x.width(); ++t) {
    g.add_q(t, T(g.ds * g.x.k(t)));
    g.add_k(t, T(g.ds * g.x.q(t)));
  }
}

template <Number T>
void add_general_gradient(pair_gradient<T> g) {
  for (std::int64_t s = 0; s < g.x.width(); ++s)
    for (std::int64_t t = 0; t < g.x.width(); ++t) {
      const T w = g.x.parameter(0, s, t);
      g.add_q(s, T(g.ds * T(w * g.x.k(t))));
      g.add_k(t, T(g.ds * T(w * g.x.q(s))));
      g.add_parameter(0, s, t, T(g.ds * T(g.x.q(s) * g.x.k(t))));
    }
}

// Of the a-th entry of W_q q + W_k k, or of W [q; k], as hidden_sum has it.
template <Number T>
void add_hidden_gradient(pair_gradient<T> g, std::int64_t a, const T& dz) {
  const bool apart = g.x.p.rules.scored_by == scorer::additive;
  for (std::int64_t t = 0; t < 2 * g.x.width(); ++t) {
    const bool of_key = apart && t >= g.x.width();
    const std::size_t matrix = of_key ? 1 : 0;
    const std::int64_t column = of_key ? t - g.x.width() : t;
    g.add_joined(t, T(dz * g.x.parameter(matrix, a, column)));
    g.add_parameter(matrix, a, column, T(dz * g.x.joined(t)));
  }
}

template <Number T>
void add_sum_of_tanh_gradient(pair_gradient<T> g) {
  const std::size_t weights = g.x.p.parameters.size() - 1;
  for (std::int64_t a = 0; a < g.x.p.parameters[weights].sizes()[3]; ++a) {
    const T h = tanh_of(hidden_sum(g.x, a));
    g.add_parameter(weights, 0, a, T(g.ds * h));
    add_hidden_gradient(g, a, T(T(g.ds * g.x.parameter(weights, 0, a)) * T(T(1) - T(h * h))));
  }
}

template <Number T>
void add_hidden_layer_gradient(pair_gradient<T> g) {
  for (std::int64_t a = 0; a < g.x.p.parameters[2].sizes()[3]; ++a) {
    const T z(hidden_sum(g.x, a) + g.x.parameter(1, 0, a));
    const T dz(T(g.ds * g.x.parameter(2, 0, a)) * step_of(z));
    g.add_parameter(2, 0, a, T(g.ds * max_of(z, T(0))));
    g.add_parameter(1, 0, a, dz);
    add_hidden_gradient(g, a, dz);
  }
  g.add_parameter(3, 0, 0, g.ds);
}

template <Number T>
void add_cosine_gradient(pair_gradient<T> g) {
  T q_square(0), k_square(0);
  for (std::int64_t t = 0; t < g.x.width(); ++t) {
    q_square = q_square + g.x.q(t) * g.x.q(t);
    k_square = k_square + g.x.k(t) * g.x.k(t);
  }
  if (!(T(0) < q_square) || !(T(0) < k_square)) return;
  const T norms(sqrt_of(q_square) * sqrt_of(k_square));
  const T cosine(dot_product(g.x) / norms);
  for (std::int64_t t = 0; t < g.x.width(); ++t) {
    g.add_q(t, T(g.ds * T(g.x.k(t) / norms - T(cosine * g.x.q(t)) / q_square)));
    g.add_k(t, T(g.ds * T(g.x.q(t) / norms - T(cosine * g.x.k(t)) / k_square)));
  }
}

// The a-th and the b-th coordinate, turned by an angle, and turned back.
template <Number T>
struct plane_vector {
  T a, b;

  plane_vector turned(const T& cos, const T& sin) const {
    return {T(a * cos - b * sin), T(b * cos + a * sin)};
  }
  plane_vector turned_back(const T& cos, const T& sin) const {
    return {T(a * cos + b * sin), T(b * cos - a * sin)};
  }
};

template <Number T>
void add_rotary_gradient(pair_gradient<T> g) {
  const scored_pair<T>& x = g.x;
  const std::int64_t pairs = x.p.parameters[0].sizes()[3];
  const std::int64_t of_q = x.row.i + position_offset(x.p, x.row.b), of_k = x.j;
  for (std::int64_t t = 0; t < pairs; ++t) {
    const auto [a, b] = pair_of(x.p.rules.scored_by, t, pairs);
    const T q_cos = x.parameter(0, of_q, t), q_sin = x.parameter(1, of_q, t);
    const T k_cos = x.parameter(0, of_k, t), k_sin = x.parameter(1, of_k, t);
    const auto q = plane_vector<T>{x.q(a), x.q(b)}.turned(q_cos, q_sin);
    const auto k = plane_vector<T>{x.k(a), x.k(b)}.turned(k_cos, k_sin);
    const auto dq = k.turned_back(q_cos, q_sin), dk = q.turned_back(k_cos, k_sin);
    g.add_q(a, T(g.ds * dq.a));
    g.add_q(b, T(g.ds * dq.b));
    g.add_k(a, T(g.ds * dk.a));
    g.add_k(b, T(g.ds * dk.b));
  }
  for (std::int64_t t = 2 * pairs; t < x.width(); ++t) {
    g.add_q(t, T(g.ds * x.k(t)));
    g.add_k(t, T(g.ds * x.q(t)));
  }
}

// f'(x) of elu_features, relu_features
template <Number T>
T feature_slope(scorer s, double x) {
  if (s == scorer::relu_features) return T(x > 0 ? 1 : 0);
  return x < 0 ? T(exp_of(T(x))) : T(1);
}

template <Number T>
void add_product_of_features_gradient(pair_gradient<T> g) {
  const scorer s = g.x.p.rules.scored_by;
  for (std::int64_t t = 0; t < g.x.width(); ++t) {
    const double q = g.x.p.q.at(g.x.row.b, g.x.row.h, g.x.row.i, t);
    const double k = g.x.p.k.at(g.x.row.b, g.x.p.kv_head(g.x.row.h), g.x.j, t);
    g.add_q(t, T(g.ds * T(feature_slope<T>(s, q) * feature_of<T>(s, k))));
    g.add_k(t, T(g.ds * T(feature_of<T>(s, q) * feature_slope<T>(s, k))));
  }
}

template <Number T>
void add_exp_features_gradient(pair_gradient<T> g) {
  for (std::int64_t a = 0; a < g.x.p.parameters[0].sizes()[2]; ++a) {
    T of_both(0);
    for (std::int64_t t = 0; t < g.x.width(); ++t) {
      const T q = g.x.q(t), k = g.x.k(t);
      of_both = of_both + g.x.parameter(0, a, t) * T(q + k) - T(T(q * q + k * k) / T(2));
    }
    const T ds(g.ds * T(exp_of(of_both)));
    for (std::int64_t t = 0; t < g.x.width(); ++t) {
      g.add_q(t, T(ds * T(g.x.parameter(0, a, t) - g.x.q(t))));
      g.add_k(t, T(ds * T(g.x.parameter(0, a, t) - g.x.k(t))));
    }
  }
}

template <Number T>
void add_score_gradient(const scored_pair<T>& x, const T& ds, scorer_gradient<T>& sums) {
  const pair_gradient<T> g{x, ds, sums};
  switch (x.p.rules.scored_by) {
    case scorer::scaled_dot:
    case scorer::dot:
      return add_dot_gradient(g);
    case scorer::general:
      return add_general_gradient(g);
    case scorer::additive:
    case scorer::concat:
      return add_sum_of_tanh_gradient(g);
    case scorer::cosine:
      return add_cosine_gradient(g);
    case scorer::mlp:
      return add_hidden_layer_gradient(g);
    case scorer::rotary_halves:
    case scorer::rotary_pairs:
      return add_rotary_gradient(g);
    case scorer::elu_features:
    case scorer::relu_features:
      return add_product_of_features_gradient(g);
    case scorer::exp_features:
      return add_exp_features_gradient(g);
  }
}

}  // namespace attest

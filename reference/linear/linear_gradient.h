// The gradient of linear attention. x' is the derivative of one number by x: o' of the outputs and
// S' of the last state are given, and those of the inputs follow by the steps of linear_attention.h
// in reversed order, from the last position l to the first. What depends on x in several ways adds
// up in x', so what the query heads of one KV head say of its state. z' is 0 at the end.
//
//   5. output     o_l = f S_l^T q_l, m_l = S_l o_l':
//                 q_l' = f m_l + w' z_l      S_l' += f q_l o_l'^T      z_l' += w' q_l
//                 f = c:                   c' += q_l . m_l             w' = 0
//                 normalised, f = 1 / w:   w = z_l . q_l               w' = -f^2 (q_l . m_l)
//   4. state      k_l' = S_l' u_l + z_l'      u_l' = S_l'^T k_l      F_l' = S_l'
//   3. what is new v_l' = u_l'; with the delta rule u_l = beta_l r_l, r_l = v_l - F_l^T (e_l k_l):
//                 beta_l' = r_l . u_l'      v_l' = beta_l u_l'      F_l' -= (e_l k_l) v_l'^T
//                 n_l = -F_l v_l'           k_l' += e_l n_l         e_l' = k_l n_l
//   2. fading     g_l' = F_l' . F_l + z_l' exp(g_l) z_{l-1}, by channels or, of one g for all of
//                 them, in sum      S_{l-1}' = diag(exp(g_l)) F_l'      z_{l-1}' = exp(g_l) z_l'
//   1. features   x' = phi'(x) phi(x)' for the elements x of q_l and k_l; phi'(0) is 0 of relu, 1
//                 of elu + 1; of exp_features x' = sum over a of phi(x)_a' phi(x)_a (w_a - x)
//
// S_0' is the gradient of the state at the start. An output that is 0 for want of weights has none.
// Nor have the draws of exp_features, which are no parameters.
#pragma once

#include <optional>
#include <vector>

#include "reference/linear/linear_attention.h"
#include "reference/tensors/array4.h"

namespace attest {

// Each of the sizes of the input that it belongs to; without elements where the problem has none.
template <class T>
struct linear_gradient {
  explicit linear_gradient(const linear_problem& p)
      : q(p.q.sizes()), k(p.k.sizes()), v(p.v.sizes()) {
    if (p.decay) decay = array4<T>(p.decay->sizes());
    if (p.rate) rate = array4<T>(p.rate->sizes());
    if (p.erase) erase = array4<T>(p.erase->sizes());
    if (p.state) state = array4<T>(p.state->sizes());
  }

  array4<T> q, k, v, decay, rate, erase, state;
  T scale{0};  // of c, given or usual
};

// Step 1, of the maps that take an element each: phi'(x).
template <Number T>
T slope_of(feature_map map, double x) {
  if (map == feature_map::relu) return T(x > 0 ? 1 : 0);
  return map == feature_map::elu_plus_1 && x < 0 ? T(exp_of(T(x))) : T(1);
}

// S' and z' of one KV head of one batch row, on the way back through the positions.
template <Number T>
class linear_way_back {
 public:
  // What the inputs get is added to `gradient`.
  linear_way_back(const linear_problem& p, std::int64_t b, std::int64_t g,
                  linear_gradient<T>& gradient)
      : problem_(p),
        b_(b),
        g_(g),
        width_(p.channels()),
        columns_(p.dims.value_width),
        gradient_(gradient),
        state_({1, 1, width_, columns_}),
        mass_({1, 1, 1, width_}) {}

  // S' of the last state.
  void begin(const tensor& d_state) {
    for (std::int64_t t = 0; t < width_; ++t)
      for (std::int64_t d = 0; d < columns_; ++d) add(t, d, T(d_state.at(b_, g_, t, d)));
  }

  // Steps 5 to 1 at position l, of the states before and after it.
  void pass(std::int64_t l, const linear_state<T>& before, const linear_state<T>& after,
            const tensor& d_output) {
    for (std::int64_t h = 0; h < problem_.dims.query_heads; ++h)
      if (problem_.kv_head(h) == g_) pass_output(h, l, after, d_output);
    linear_state<T> faded = before;
    faded.fade(l);
    pass_new_values(l, faded);
    if (problem_.decay) pass_fading(l, faded);
  }

  // S_0'.
  void end() {
    for (std::int64_t t = 0; problem_.state && t < width_; ++t)
      for (std::int64_t d = 0; d < columns_; ++d) gradient_.state.add({b_, g_, t, d}, at(t, d));
  }

 private:
  const T& at(std::int64_t t, std::int64_t d) const { return state_.at(0, 0, t, d); }
  void add(std::int64_t t, std::int64_t d, const T& x) { state_.add({0, 0, t, d}, x); }
  const T& mass(std::int64_t t) const { return mass_.at(0, 0, 0, t); }
  static T& of(std::vector<T>& xs, std::int64_t n) { return xs[static_cast<std::size_t>(n)]; }
  static const T& of(const std::vector<T>& xs, std::int64_t n) {
    return xs[static_cast<std::size_t>(n)];
  }

  // Step 1, of row x_bhl of q or k, with phi(x) and phi(x)'.
  void pass_features(array4<T>& gradient, const tensor& x, std::int64_t h, std::int64_t l,
                     const std::vector<T>& features, const std::vector<T>& by_feature) const {
    for (std::int64_t a = 0; a < width_; ++a) {
      if (!problem_.draws) {
        const T slope = slope_of<T>(problem_.map, x.at(b_, h, l, a));
        gradient.add({b_, h, l, a}, T(slope * of(by_feature, a)));
        continue;
      }
      const T by_exponent(of(by_feature, a) * of(features, a));
      for (std::int64_t t = 0; t < problem_.dims.width; ++t)
        gradient.add({b_, h, l, t},
                     T(by_exponent * T(T(problem_.draws->at(0, g_, a, t)) - T(x.at(b_, h, l, t)))));
    }
  }

  // Step 5.
  void pass_output(std::int64_t h, std::int64_t l, const linear_state<T>& s,
                   const tensor& d_output) {
    const std::optional<T> f = s.factor(h, l);
    if (!f) return;
    const std::vector<T> q = s.query(h, l);
    std::vector<T> m(static_cast<std::size_t>(width_), T(0)), by_query;
    T product(0);
    for (std::int64_t t = 0; t < width_; ++t) {
      for (std::int64_t d = 0; d < columns_; ++d)
        of(m, t) = of(m, t) + s.value(t, d) * T(d_output.at(b_, h, l, d));
      product = product + of(q, t) * of(m, t);
    }
    const T by_weight = problem_.normalised ? T(T(0) - T(*f * *f) * product) : T(0);
    if (!problem_.normalised) gradient_.scale = gradient_.scale + product;
    for (std::int64_t t = 0; t < width_; ++t) {
      by_query.push_back(T(T(*f * of(m, t)) + by_weight * s.mass(t)));
      mass_.add({0, 0, 0, t}, T(by_weight * of(q, t)));
      for (std::int64_t d = 0; d < columns_; ++d)
        add(t, d, T(T(*f * of(q, t)) * T(d_output.at(b_, h, l, d))));
    }
    pass_features(gradient_.q, problem_.q, h, l, q, by_query);
  }

  // Steps 4 and 3, and step 1 of the key.
  void pass_new_values(std::int64_t l, const linear_state<T>& faded) {
    const std::vector<T> k = faded.key(l), r = faded.missing(l), u = faded.new_values(l);
    std::vector<T> v, by_keys;  // v_l', k_l'
    for (std::int64_t d = 0; d < columns_; ++d) {
      T by_new(0);
      for (std::int64_t t = 0; t < width_; ++t) by_new = by_new + at(t, d) * of(k, t);
      if (problem_.rate) {
        gradient_.rate.add({b_, g_, l, 0}, T(of(r, d) * by_new));
        by_new = T(T(problem_.rate->at(b_, g_, l, 0)) * by_new);
      }
      gradient_.v.add({b_, g_, l, d}, by_new);
      v.push_back(by_new);
    }
    for (std::int64_t t = 0; t < width_; ++t) {
      T by_key = mass(t);
      for (std::int64_t d = 0; d < columns_; ++d) by_key = by_key + at(t, d) * of(u, d);
      if (problem_.rate) by_key = by_key + pass_look_up(l, t, of(k, t), faded, v);
      by_keys.push_back(by_key);
    }
    pass_features(gradient_.k, problem_.k, g_, l, k, by_keys);
  }

  // Row t of F_l'. Result: e_l n_l.
  T pass_look_up(std::int64_t l, std::int64_t t, const T& k, const linear_state<T>& faded,
                 const std::vector<T>& v) {
    const T e(problem_.erase ? problem_.erase->at(b_, g_, l, t) : 1);
    T n(0);
    for (std::int64_t d = 0; d < columns_; ++d) {
      n = n - faded.value(t, d) * of(v, d);
      add(t, d, T(T(0) - T(e * k) * of(v, d)));
    }
    if (problem_.erase) gradient_.erase.add({b_, g_, l, t}, T(k * n));
    return T(e * n);
  }

  // Step 2. z_l before its key is exp(g_l) z_{l-1}.
  void pass_fading(std::int64_t l, const linear_state<T>& faded) {
    for (std::int64_t t = 0; t < width_; ++t) {
      const T kept = faded.kept(l, t);
      T by_log(mass(t) * faded.mass(t));
      for (std::int64_t d = 0; d < columns_; ++d) {
        by_log = by_log + at(t, d) * faded.value(t, d);
        state_.set({0, 0, t, d}, T(kept * at(t, d)));
      }
      mass_.set({0, 0, 0, t}, T(kept * mass(t)));
      gradient_.decay.add({b_, g_, l, problem_.decay_channel(t)}, by_log);
    }
  }

  const linear_problem& problem_;
  std::int64_t b_, g_, width_, columns_;
  linear_gradient<T>& gradient_;
  array4<T> state_, mass_;
};

// Computes: all of it, of o' [B, Hq, L, Dv] and of S' [B, Hkv, C, Dv], 0 when absent.
// Domain: as of the forward. Cost: a few times its work; memory of the states of one head at all
//   positions.
template <Number T>
linear_gradient<T> linear_attention_gradient(const linear_problem& p, const tensor& d_output,
                                             const std::optional<tensor>& d_state = {}) {
  linear_gradient<T> gradient(p);
  for (std::int64_t b = 0; b < p.dims.batch; ++b)
    for (std::int64_t g = 0; g < p.dims.kv_heads; ++g) {
      std::vector<linear_state<T>> states{linear_state<T>(p, b, g)};
      for (std::int64_t l = 0; l < p.dims.queries; ++l) {
        states.push_back(states.back());
        states.back().absorb(l);
      }
      linear_way_back<T> way(p, b, g, gradient);
      if (d_state) way.begin(*d_state);
      for (std::size_t l = states.size() - 1; l-- > 0;)
        way.pass(static_cast<std::int64_t>(l), states[l], states[l + 1], d_output);
      way.end();
    }
  return gradient;
}

}  // namespace attest

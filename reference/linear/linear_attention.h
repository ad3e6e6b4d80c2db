// The definition of linear attention, as a recurrence over the positions l of one KV head:
//
//   1. features   k_l = phi(k_l), q_l = phi(q_l)                 [C]: D elements, or
//                 phi(x)_a = exp(w_a . x - x . x / 2) of the A draws w of the KV head
//   2. fading     F_l = diag(exp(g_l)) S_{l-1}                  g = 0 without decay
//   3. what is new u_l = v_l; with the delta rule beta_l (v_l - F_l^T (e_l k_l))
//   4. state      S_l = F_l + k_l u_l^T                         [C, Dv]
//   5. output     o_l = c S_l^T q_l                             c = 1 / sqrt(D) unless given
//                 normalised: S_l^T q_l / (z_l . q_l), z_l = exp(g_l) z_{l-1} + k_l
//
// A normalised output whose weights sum to 0 is 0. The number is a parameter, as in
// definition/attention.h. Features of draws: Choromanski et al., arXiv:2009.14794.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "reference/definition/feature.h"
#include "reference/linear/linear_problem.h"

namespace attest {

// Step 1, of the maps that take an element each.
template <Number T>
T feature_of(feature_map map, double x) {
  if (map == feature_map::relu) return positive_part<T>(x);
  return map == feature_map::elu_plus_1 ? elu_plus_1<T>(x) : T(x);
}

// Step 1, of row x_bhl of q or k: exp(w_a . x - x . x / 2), w of KV head g.
template <Number T>
T exp_feature(const tensor& draws, std::int64_t g, std::int64_t a, const tensor& x, std::int64_t b,
              std::int64_t h, std::int64_t l) {
  T exponent(0);
  for (std::int64_t t = 0; t < x.sizes()[3]; ++t) {
    const T element(x.at(b, h, l, t));
    exponent = exponent + T(draws.at(0, g, a, t)) * element - T(element * element) / T(2);
  }
  return T(exp_of(exponent));
}

// Step 1, the whole row: [C].
template <Number T>
std::vector<T> features_of(const linear_problem& p, const tensor& x, std::int64_t b, std::int64_t h,
                           std::int64_t l) {
  const std::int64_t g = h / (x.sizes()[1] / p.dims.kv_heads);
  std::vector<T> row;
  for (std::int64_t t = 0; t < p.channels(); ++t)
    row.push_back(p.draws ? exp_feature<T>(*p.draws, g, t, x, b, h, l)
                          : feature_of<T>(p.map, x.at(b, h, l, t)));
  return row;
}

// 1 / sqrt(D) to every digit of the number.
template <Number T>
T scale_of(const linear_problem& p) {
  if (p.scale) return T(*p.scale);
  return T(T(1) / sqrt_of(T(static_cast<double>(p.dims.width))));
}

// The state of one KV head of one batch row, after the positions that it has absorbed.
template <Number T>
class linear_state {
 public:
  linear_state(const linear_problem& p, std::int64_t b, std::int64_t g)
      : problem_(p),
        b_(b),
        g_(g),
        width_(p.channels()),
        columns_(p.dims.value_width),
        state_(static_cast<std::size_t>(width_ * columns_), T(0)),
        mass_(static_cast<std::size_t>(width_), T(0)) {
    for (std::int64_t t = 0; p.state && t < width_; ++t)
      for (std::int64_t d = 0; d < columns_; ++d) at(t, d) = T(p.state->at(b, g, t, d));
  }

  // Steps 2 to 4.
  void absorb(std::int64_t l) {
    fade(l);
    const std::vector<T> keys = key(l), fresh = new_values(l);
    for (std::int64_t t = 0; t < width_; ++t) {
      const T& k = keys[static_cast<std::size_t>(t)];
      mass_at(t) = mass(t) + k;
      for (std::int64_t d = 0; d < columns_; ++d)
        at(t, d) = at(t, d) + k * fresh[static_cast<std::size_t>(d)];
    }
  }

  // Step 2.
  void fade(std::int64_t l) {
    if (!problem_.decay) return;
    for (std::int64_t t = 0; t < width_; ++t) {
      const T factor = kept(l, t);
      mass_at(t) = mass(t) * factor;
      for (std::int64_t d = 0; d < columns_; ++d) at(t, d) = at(t, d) * factor;
    }
  }

  // exp(g_l) of a problem with decay.
  T kept(std::int64_t l, std::int64_t t) const {
    return exp_of(T(problem_.decay->at(b_, g_, l, problem_.decay_channel(t))));
  }

  // Step 3, of a state that has faded.
  std::vector<T> new_values(std::int64_t l) const {
    std::vector<T> fresh = missing(l);
    if (problem_.rate)
      for (T& u : fresh) u = T(T(problem_.rate->at(b_, g_, l, 0)) * u);
    return fresh;
  }

  // v_l, or of it what the delta rule does not find in the state already.
  std::vector<T> missing(std::int64_t l) const {
    std::vector<T> values, erased;
    if (problem_.rate) erased = erased_key(l);
    for (std::int64_t d = 0; d < columns_; ++d) {
      const T v(problem_.v.at(b_, g_, l, d));
      values.push_back(problem_.rate ? T(v - looked_up(erased, d)) : v);
    }
    return values;
  }

  // Step 5, for a query head that this KV head serves, at the position absorbed last.
  std::vector<T> output(std::int64_t h, std::int64_t l) const {
    std::vector<T> sums(static_cast<std::size_t>(columns_), T(0));
    const std::optional<T> by = factor(h, l);
    if (!by) return sums;
    const std::vector<T> queries = query(h, l);
    for (std::int64_t t = 0; t < width_; ++t) {
      const T& q = queries[static_cast<std::size_t>(t)];
      for (std::int64_t d = 0; d < columns_; ++d)
        sums[static_cast<std::size_t>(d)] = sums[static_cast<std::size_t>(d)] + q * value(t, d);
    }
    for (T& x : sums) x = T(x * *by);
    return sums;
  }

  // What step 5 multiplies by: c, or 1 / (z_l . q_l). Nothing where the weights sum to 0.
  std::optional<T> factor(std::int64_t h, std::int64_t l) const {
    if (!problem_.normalised) return scale_of<T>(problem_);
    const std::vector<T> queries = query(h, l);
    T weight(0);
    for (std::int64_t t = 0; t < width_; ++t)
      weight = weight + queries[static_cast<std::size_t>(t)] * mass(t);
    if (is_zero(weight)) return {};
    return T(T(1) / weight);
  }

  // Step 1.
  std::vector<T> query(std::int64_t h, std::int64_t l) const {
    return features_of<T>(problem_, problem_.q, b_, h, l);
  }
  std::vector<T> key(std::int64_t l) const {
    return features_of<T>(problem_, problem_.k, b_, g_, l);
  }

  // Of S, [C, Dv], and of z, [C].
  const T& value(std::int64_t t, std::int64_t d) const { return state_[index(t, d)]; }
  const T& mass(std::int64_t t) const { return mass_[static_cast<std::size_t>(t)]; }
  // S in row-major order.
  const std::vector<T>& values() const { return state_; }

 private:
  std::size_t index(std::int64_t t, std::int64_t d) const {
    return static_cast<std::size_t>(t * columns_ + d);
  }
  T& at(std::int64_t t, std::int64_t d) { return state_[index(t, d)]; }
  T& mass_at(std::int64_t t) { return mass_[static_cast<std::size_t>(t)]; }

  // e_l k_l
  std::vector<T> erased_key(std::int64_t l) const {
    std::vector<T> k = key(l);
    for (std::int64_t t = 0; t < width_ && problem_.erase; ++t) {
      T& each = k[static_cast<std::size_t>(t)];
      each = T(each * T(problem_.erase->at(b_, g_, l, t)));
    }
    return k;
  }

  T looked_up(const std::vector<T>& erased, std::int64_t d) const {
    T sum(0);
    for (std::int64_t t = 0; t < width_; ++t)
      sum = sum + erased[static_cast<std::size_t>(t)] * value(t, d);
    return sum;
  }

  const linear_problem& problem_;
  std::int64_t b_, g_, width_, columns_;
  std::vector<T> state_, mass_;
};

// What linear attention gives: o [B, Hq, L, Dv] and the state after the last position, [B, Hkv, C,
// Dv], in row-major order.
template <class T>
struct linear_answer {
  std::vector<T> output, state;
};

// Computes: all of it. Cost: B Hkv L C Dv multiply-adds (R times as many for outputs), and of
// exp_features L A D for each head, a few times; memory of one state.
template <Number T>
linear_answer<T> linear_attention(const linear_problem& p) {
  const shape& s = p.dims;
  linear_answer<T> answer;
  answer.output.resize(
      static_cast<std::size_t>(s.batch * s.query_heads * s.queries * s.value_width), T(0));
  for (std::int64_t b = 0; b < s.batch; ++b)
    for (std::int64_t g = 0; g < s.kv_heads; ++g) {
      linear_state<T> state(p, b, g);
      for (std::int64_t l = 0; l < s.queries; ++l) {
        state.absorb(l);
        for (std::int64_t h = 0; h < s.query_heads; ++h) {
          if (p.kv_head(h) != g) continue;
          const std::vector<T> o = state.output(h, l);
          const std::int64_t first = ((b * s.query_heads + h) * s.queries + l) * s.value_width;
          std::copy(o.begin(), o.end(), answer.output.begin() + first);
        }
      }
      answer.state.insert(answer.state.end(), state.values().begin(), state.values().end());
    }
  return answer;
}

}  // namespace attest

// A module of attention: projections of a sequence, heads, and a projection of what they give.
//
//   1. projections  q_ht = x_t W_q,h + b_q,h; k, v likewise     query head h has KV head h / R
//   2. heads        o_ht = sum_j a_j v_gj, a = softmax_j(c q_ht . k_gj)   j <= t where it is causal
//   3. output       y_t = sum_h o_ht W_o,h + b_o                without W_o: the heads in a row
//
// c = 1 / sqrt(D) unless given. One head without W_o is the causal head of teaching code; W_o over
// the heads is the projection of what they give, concatenated.
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "reference/definition/normalizer.h"
#include "reference/definition/number.h"
#include "reference/problems/problem.h"

namespace attest {

// Shapes: x [B, 1, T, C]; w_q [1, Hq, C, D], w_k [1, Hkv, C, D], w_v [1, Hkv, C, Dv] and their
// biases with one row instead of C; w_o [1, Hq, Dv, E], b_o [1, 1, 1, E].
struct attention_module {
  tensor x, w_q, w_k, w_v;
  std::optional<tensor> b_q, b_k, b_v, w_o, b_o;
  bool causal = true;
  std::optional<double> scale;

  // B, Hq, Hkv, T queries and as many keys, D, Dv.
  shape dims() const {
    return {x.sizes()[0], w_q.sizes()[1], w_k.sizes()[1], x.sizes()[2],
            x.sizes()[2], w_q.sizes()[3], w_v.sizes()[3]};
  }
  std::int64_t kv_head(std::int64_t h) const { return h / (w_q.sizes()[1] / w_k.sizes()[1]); }
  // Computes: E, or Hq Dv without w_o.
  std::int64_t outputs() const { return w_o ? w_o->sizes()[3] : w_q.sizes()[1] * w_v.sizes()[3]; }
  std::int64_t last_key(std::int64_t t) const { return causal ? t : x.sizes()[2] - 1; }
};

// Step 1 of every head and position, and steps 2 and 3 from it.
template <Number T>
class evaluated_module {
 public:
  explicit evaluated_module(const attention_module& m)
      : module_(m),
        q_(projected(m.w_q, m.b_q)),
        k_(projected(m.w_k, m.b_k)),
        v_(projected(m.w_v, m.b_v)) {}

  const T& q(std::int64_t b, std::int64_t h, std::int64_t t, std::int64_t d) const {
    return q_[place_of(module_.w_q, b, h, t, d)];
  }
  const T& k(std::int64_t b, std::int64_t g, std::int64_t t, std::int64_t d) const {
    return k_[place_of(module_.w_k, b, g, t, d)];
  }
  const T& v(std::int64_t b, std::int64_t g, std::int64_t t, std::int64_t d) const {
    return v_[place_of(module_.w_v, b, g, t, d)];
  }

  // c q . k of the keys that a query sees.
  std::vector<T> scores(std::int64_t b, std::int64_t h, std::int64_t t) const {
    std::vector<T> all;
    for (std::int64_t j = 0; j <= module_.last_key(t); ++j) {
      T sum(0);
      for (std::int64_t d = 0; d < module_.w_q.sizes()[3]; ++d)
        sum = sum + q(b, h, t, d) * k(b, module_.kv_head(h), j, d);
      all.push_back(T(scale() * sum));
    }
    return all;
  }

  // Step 2, of weights that are given.
  std::vector<T> mixed(std::int64_t b, std::int64_t h, const std::vector<T>& weights) const {
    std::vector<T> o(static_cast<std::size_t>(module_.w_v.sizes()[3]), T(0));
    for (std::size_t j = 0; j < weights.size(); ++j)
      for (std::size_t d = 0; d < o.size(); ++d)
        o[d] = o[d] + weights[j] * v(b, module_.kv_head(h), static_cast<std::int64_t>(j),
                                     static_cast<std::int64_t>(d));
    return o;
  }

  // Step 3, of the heads at one position.
  std::vector<T> output(const std::vector<std::vector<T>>& heads) const {
    std::vector<T> y;
    for (std::int64_t e = 0; e < module_.outputs(); ++e) y.push_back(element(heads, e));
    return y;
  }

  // Steps 2 and 3.
  std::vector<T> at(std::int64_t b, std::int64_t t) const {
    std::vector<std::vector<T>> heads;
    for (std::int64_t h = 0; h < module_.w_q.sizes()[1]; ++h)
      heads.push_back(mixed(b, h, exponential_terms<T>(scores(b, h, t)).weights()));
    return output(heads);
  }

  T scale() const {
    if (module_.scale) return T(*module_.scale);
    return T(T(1) / sqrt_of(T(static_cast<double>(module_.w_q.sizes()[3]))));
  }

 private:
  std::size_t place_of(const tensor& w, std::int64_t b, std::int64_t h, std::int64_t t,
                       std::int64_t d) const {
    return static_cast<std::size_t>(
        ((b * w.sizes()[1] + h) * module_.x.sizes()[2] + t) * w.sizes()[3] + d);
  }

  std::vector<T> projected(const tensor& w, const std::optional<tensor>& bias) const {
    std::vector<T> all;
    const index4 sizes{module_.x.sizes()[0], w.sizes()[1], module_.x.sizes()[2], w.sizes()[3]};
    for_each_index(sizes, [&](const index4& i) {
      T sum = T(bias ? bias->at(0, i[1], 0, i[3]) : 0);
      for (std::int64_t c = 0; c < w.sizes()[2]; ++c)
        sum = sum + T(module_.x.at(i[0], 0, i[2], c)) * T(w.at(0, i[1], c, i[3]));
      all.push_back(sum);
    });
    return all;
  }

  T element(const std::vector<std::vector<T>>& heads, std::int64_t e) const {
    const auto width = module_.w_v.sizes()[3];
    if (!module_.w_o)
      return heads[static_cast<std::size_t>(e / width)][static_cast<std::size_t>(e % width)];
    T sum = T(module_.b_o ? module_.b_o->at(0, 0, 0, e) : 0);
    for (std::size_t h = 0; h < heads.size(); ++h)
      for (std::size_t d = 0; d < heads[h].size(); ++d)
        sum = sum + heads[h][d] * T(module_.w_o->at(0, static_cast<std::int64_t>(h),
                                                    static_cast<std::int64_t>(d), e));
    return sum;
  }

  const attention_module& module_;
  std::vector<T> q_, k_, v_;
};

}  // namespace attest

// The gradient of a module of attention. x' is the derivative of one number by x: y' of the outputs
// is given, and those of the inputs follow by the steps of attention_module.h in reversed order.
// What depends on x in several ways adds up in x'; sums over t go over the batch rows too.
//
//   3. output       o_ht' = W_o,h y_t'      W_o,h' = sum_t o_ht y_t'^T      b_o' = sum_t y_t'
//                   without W_o: o_ht' is its part of y_t', and b_o counts for nothing
//   2. heads        s_j = c q_ht . k_gj, a = softmax(s); for all j that t sees
//                   a_j' = v_gj . o_ht'                      v_gj' += a_j o_ht'
//                   s_j' = a_j (a_j' - sum_i a_i a_i')       k_gj' += c s_j' q_ht
//                   n = sum_j s_j' k_gj                      q_ht' = c n      c' += q_ht . n
//   1. projections  W_q,h' = sum_t x_t q_ht'^T      b_q,h' = sum_t q_ht'      x_t' += W_q,h q_ht'
//                   k, v likewise
#pragma once

#include <optional>
#include <vector>

#include "reference/definition/normalizer_gradient.h"
#include "reference/modules/attention_module.h"
#include "reference/tensors/array4.h"

namespace attest {

// Each of the sizes of the input that it belongs to; without elements where the module has none.
template <class T>
struct module_gradient {
  explicit module_gradient(const attention_module& m)
      : x(m.x.sizes()), w_q(m.w_q.sizes()), w_k(m.w_k.sizes()), w_v(m.w_v.sizes()) {
    if (m.b_q) b_q = array4<T>(m.b_q->sizes());
    if (m.b_k) b_k = array4<T>(m.b_k->sizes());
    if (m.b_v) b_v = array4<T>(m.b_v->sizes());
    if (m.w_o) w_o = array4<T>(m.w_o->sizes());
    if (m.b_o) b_o = array4<T>(m.b_o->sizes());
  }

  array4<T> x, w_q, w_k, w_v, b_q, b_k, b_v, w_o, b_o;
  T scale{0};  // of c, given or usual
};

// From outputs to inputs, head by head: q', k' and v' of all of them, and what inputs get.
template <Number T>
class module_way_back {
 public:
  // d_output: y', [B, 1, T, outputs()].
  module_way_back(const attention_module& m, const tensor& d_output)
      : module_(m),
        d_output_(d_output),
        evaluated_(m),
        gradient_(m),
        q_(projected_sizes(m.w_q)),
        k_(projected_sizes(m.w_k)),
        v_(projected_sizes(m.w_v)) {}

  // Steps 3 and 2 of one head at one position.
  void pass_head(std::int64_t b, std::int64_t h, std::int64_t t) {
    const std::vector<T> weights = exponential_terms<T>(evaluated_.scores(b, h, t)).weights();
    const std::vector<T> by_output = pass_output(b, h, t, evaluated_.mixed(b, h, weights));
    const std::vector<T> by_weight = pass_values(b, h, weights, by_output);
    pass_scores(b, h, t, softmax_gradient(weights, by_weight));
  }

  // Step 1, and what does not belong to a head.
  module_gradient<T> finish() {
    if (module_.b_o && module_.w_o)
      for_each_index(d_output_.sizes(), [&](const index4& i) {
        gradient_.b_o.add({0, 0, 0, i[3]}, T(d_output_.at(i)));
      });
    pass_projection(module_.w_q, q_, gradient_.w_q, gradient_.b_q);
    pass_projection(module_.w_k, k_, gradient_.w_k, gradient_.b_k);
    pass_projection(module_.w_v, v_, gradient_.w_v, gradient_.b_v);
    return gradient_;
  }

 private:
  index4 projected_sizes(const tensor& w) const {
    return {module_.x.sizes()[0], w.sizes()[1], module_.x.sizes()[2], w.sizes()[3]};
  }

  // Step 3. Result: o_ht'.
  std::vector<T> pass_output(std::int64_t b, std::int64_t h, std::int64_t t,
                             const std::vector<T>& output) {
    std::vector<T> by_output;
    for (std::int64_t d = 0; d < module_.w_v.sizes()[3]; ++d) {
      if (!module_.w_o) {
        by_output.push_back(T(d_output_.at(b, 0, t, h * module_.w_v.sizes()[3] + d)));
        continue;
      }
      T sum(0);
      for (std::int64_t e = 0; e < module_.outputs(); ++e) {
        const T y(d_output_.at(b, 0, t, e));
        sum = sum + T(module_.w_o->at(0, h, d, e)) * y;
        gradient_.w_o.add({0, h, d, e}, T(output[static_cast<std::size_t>(d)] * y));
      }
      by_output.push_back(sum);
    }
    return by_output;
  }

  // v'. Result: a'.
  std::vector<T> pass_values(std::int64_t b, std::int64_t h, const std::vector<T>& weights,
                             const std::vector<T>& by_output) {
    const std::int64_t g = module_.kv_head(h);
    std::vector<T> by_weight;
    for (std::size_t n = 0; n < weights.size(); ++n) {
      const auto j = static_cast<std::int64_t>(n);
      T sum(0);
      for (std::int64_t d = 0; d < module_.w_v.sizes()[3]; ++d) {
        const T& o = by_output[static_cast<std::size_t>(d)];
        sum = sum + evaluated_.v(b, g, j, d) * o;
        v_.add({b, g, j, d}, T(weights[n] * o));
      }
      by_weight.push_back(sum);
    }
    return by_weight;
  }

  // q', k' and c'.
  void pass_scores(std::int64_t b, std::int64_t h, std::int64_t t, const std::vector<T>& by_score) {
    const std::int64_t g = module_.kv_head(h);
    const T c = evaluated_.scale();
    for (std::int64_t d = 0; d < module_.w_q.sizes()[3]; ++d) {
      const T& q = evaluated_.q(b, h, t, d);
      T n(0);
      for (std::size_t j = 0; j < by_score.size(); ++j) {
        n = n + by_score[j] * evaluated_.k(b, g, static_cast<std::int64_t>(j), d);
        k_.add({b, g, static_cast<std::int64_t>(j), d}, T(T(c * by_score[j]) * q));
      }
      q_.add({b, h, t, d}, T(c * n));
      gradient_.scale = gradient_.scale + q * n;
    }
  }

  // Step 1. projected: q', k' or v'.
  void pass_projection(const tensor& w, const array4<T>& projected, array4<T>& by_w,
                       array4<T>& by_bias) {
    for_each_index(projected.sizes(), [&](const index4& i) {
      const auto [b, h, t, d] = i;
      if (!by_bias.empty()) by_bias.add({0, h, 0, d}, projected.at(i));
      for (std::int64_t c = 0; c < w.sizes()[2]; ++c) {
        by_w.add({0, h, c, d}, T(T(module_.x.at(b, 0, t, c)) * projected.at(i)));
        gradient_.x.add({b, 0, t, c}, T(T(w.at(0, h, c, d)) * projected.at(i)));
      }
    });
  }

  const attention_module& module_;
  const tensor& d_output_;
  evaluated_module<T> evaluated_;
  module_gradient<T> gradient_;
  array4<T> q_, k_, v_;
};

// Computes: all of it, of y' [B, 1, T, outputs()]. Domain: as of the forward. Cost: a few times its
// work.
template <Number T>
module_gradient<T> attention_module_gradient(const attention_module& m, const tensor& d_output) {
  module_way_back<T> way(m, d_output);
  for (std::int64_t b = 0; b < m.x.sizes()[0]; ++b)
    for (std::int64_t h = 0; h < m.w_q.sizes()[1]; ++h)
      for (std::int64_t t = 0; t < m.x.sizes()[2]; ++t) way.pass_head(b, h, t);
  return way.finish();
}

}  // namespace attest

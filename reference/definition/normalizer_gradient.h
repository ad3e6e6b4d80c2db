// Step 5 of the gradients: how a change of the weights goes back to the logits, dt = J^T da with
// J_jk = da_j / dt_k, normalizer by normalizer as in normalizer.h.
//
//   softmax       a_j (da_j - M)                  M = sum a da
//   sparsemax     s_j (da_j - M)                  M = sum s da / sum s, s_j = 1 on the support
//   entmax_1_5    s_j (da_j - M)                  likewise, s_j = sqrt(a_j)
//   alpha_entmax  s_j (da_j - M)                  likewise, s_j = a_j^(2 - alpha)
//   relu_ratio    [t_j > 0] (da_j - M) / sum [t]_+    M = sum a da
//   ratio         (da_j - M) / sum t                  likewise
//   uniform       0
//   identity      da_j
//
// The support of sparsemax and entmax are the keys that weigh something; where a score meets the
// threshold, or 0 under relu_ratio, the definition has a kink, and this is the derivative from the
// side of weight 0. Source: Martins and Astudillo, arXiv:1602.02068; Peters, Niculae and Martins,
// arXiv:1905.05702.
#pragma once

#include <vector>

#include "reference/definition/normalizer.h"

namespace attest {

template <Number T>
T sum_of(const std::vector<T>& xs) {
  T sum(0);
  for (const T& x : xs) sum = sum + x;
  return sum;
}

template <Number T>
T inner_product(const std::vector<T>& xs, const std::vector<T>& ys) {
  T sum(0);
  for (std::size_t n = 0; n < xs.size(); ++n) sum = sum + xs[n] * ys[n];
  return sum;
}

// s_j (da_j - mean) for every key.
template <Number T>
std::vector<T> times_distance_from(const T& mean, const std::vector<T>& slopes,
                                   const std::vector<T>& d_weights) {
  std::vector<T> d_logits;
  for (std::size_t n = 0; n < slopes.size(); ++n)
    d_logits.push_back(T(slopes[n] * T(d_weights[n] - mean)));
  return d_logits;
}

// Of softmax, also where some of the weight belongs to a sink: its da is 0.
template <Number T>
std::vector<T> softmax_gradient(const std::vector<T>& weights, const std::vector<T>& d_weights) {
  return times_distance_from(inner_product(weights, d_weights), weights, d_weights);
}

// Of weights [u - tau]_+^p that sum to 1: the slopes are da / du on the support, up to a factor.
template <Number T>
std::vector<T> threshold_gradient(const std::vector<T>& slopes, const std::vector<T>& d_weights) {
  const T mean(inner_product(slopes, d_weights) / sum_of(slopes));
  return times_distance_from(mean, slopes, d_weights);
}

// a^(2 - alpha) on the support, otherwise 0.
template <Number T>
T entmax_slope(normalizer n, double alpha, const T& weight) {
  if (n == normalizer::sparsemax) return step_of(weight);
  return n == normalizer::entmax_1_5 ? T(sqrt_of(weight)) : T(power_of(weight, T(T(2) - T(alpha))));
}

template <Number T>
std::vector<T> entmax_slopes(normalizer n, double alpha, const std::vector<T>& weights) {
  std::vector<T> slopes;
  for (const T& a : weights) slopes.push_back(entmax_slope(n, alpha, a));
  return slopes;
}

// Of a_j = x_j / sum x, x_j = t_j or [t_j]_+: slopes are dx / dt.
template <Number T>
std::vector<T> shares_gradient(std::vector<T> slopes, const T& sum, const std::vector<T>& weights,
                               const std::vector<T>& d_weights) {
  for (T& s : slopes) s = T(s / sum);
  return times_distance_from(inner_product(weights, d_weights), slopes, d_weights);
}

template <Number T>
std::vector<T> steps_of(const std::vector<T>& xs) {
  std::vector<T> steps;
  for (const T& x : xs) steps.push_back(step_of(x));
  return steps;
}

// Domain: logits that have weights, and as many of each. alpha: of alpha_entmax alone.
template <Number T>
std::vector<T> logits_gradient(normalizer n, double alpha, const std::vector<T>& logits,
                               const std::vector<T>& weights, const std::vector<T>& d_weights) {
  switch (n) {
    case normalizer::softmax:
      return softmax_gradient(weights, d_weights);
    case normalizer::sparsemax:
    case normalizer::entmax_1_5:
    case normalizer::alpha_entmax:
      return threshold_gradient(entmax_slopes(n, alpha, weights), d_weights);
    case normalizer::relu_ratio:
      return shares_gradient(steps_of(logits), sum_of(positive_parts(logits, T(0))), weights,
                             d_weights);
    case normalizer::ratio:
      return shares_gradient(std::vector<T>(logits.size(), T(1)), sum_of(logits), weights,
                             d_weights);
    case normalizer::identity:
      return d_weights;
    case normalizer::uniform:
      break;
  }
  return std::vector<T>(logits.size(), T(0));
}

}  // namespace attest

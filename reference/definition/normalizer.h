// Step 5 of the definition: what makes weights of the logits t of a key set.
//
//   softmax       exp(t) / sum exp(t)
//   sparsemax     [t - tau]_+                                      tau such that they sum to 1
//   entmax_1_5    [t / 2 - tau]_+^2                                likewise
//   alpha_entmax  [(alpha - 1) t - tau]_+^(1 / (alpha - 1))        likewise; alpha > 1
//   relu_ratio    [t]_+ / sum [t]_+
//   ratio         t / sum t
//   uniform       1 / n
//   identity      t
//
// [x]_+ is max(x, 0). relu_ratio and ratio have no weights where their sum is 0: such a row is as
// one without keys. Only softmax has a sink, and a sum of exponentials whose logarithm is the lse.
#pragma once

#include <algorithm>
#include <vector>

#include "reference/definition/number.h"
#include "reference/semantics/semantics.h"

namespace attest {

template <Number T>
T greatest_of(const std::vector<T>& xs) {
  T greatest = xs.front();
  for (const T& x : xs) greatest = max_of(greatest, x);
  return greatest;
}

// Each less the greatest of them, which cancels from the weights of softmax, sparsemax and entmax.
template <Number T>
std::vector<T> below_greatest(const std::vector<T>& logits) {
  const T greatest = greatest_of(logits);
  std::vector<T> below;
  for (const T& t : logits) below.push_back(T(t - greatest));
  return below;
}

// exp(t - greatest) for every logit. The maximum is subtracted so that no exponential overflows.
template <Number T>
struct exponential_terms {
  explicit exponential_terms(const std::vector<T>& logits) : greatest(logits.front()) {
    for (const T& t : logits)
      if (greatest < t) greatest = t;
    for (const T& t : logits) {
      each.push_back(exp_of(T(t - greatest)));
      sum = sum + each.back();
    }
  }

  std::vector<T> weights() const {
    std::vector<T> shares;
    for (const T& x : each) shares.push_back(T(x / sum));
    return shares;
  }

  T greatest;
  std::vector<T> each;
  T sum{0};
};

template <Number T>
std::vector<T> positive_parts(const std::vector<T>& xs, const T& less) {
  std::vector<T> parts;
  for (const T& x : xs) parts.push_back(max_of(T(x - less), T(0)));
  return parts;
}

// x / sum x; nothing where the sum is 0.
template <Number T>
std::vector<T> shares_of(std::vector<T> xs) {
  T sum(0);
  for (const T& x : xs) sum = sum + x;
  if (is_zero(sum)) return {};
  for (T& x : xs) x = T(x / sum);
  return xs;
}

// The tau of sparsemax. The sum over the k greatest is never more than that of the positive parts,
// and as much where they are the support: tau is the greatest (S_k - 1) / k.
template <Number T>
T sparsemax_threshold(std::vector<T> xs) {
  std::stable_sort(xs.begin(), xs.end(), [](const T& x, const T& y) { return y < x; });
  T sum(0), threshold(0);
  for (std::size_t n = 0; n < xs.size(); ++n) {
    sum = sum + xs[n];
    const T next(T(sum - T(1)) / T(static_cast<double>(n + 1)));
    threshold = n == 0 ? next : max_of(threshold, next);
  }
  return threshold;
}

// The tau of entmax_1_5, of halves: on a support of k entries with mean M and Q = sum (x - M)^2,
// k (M - tau)^2 + Q = 1. An entry is in the support while the squares above it sum to less than 1.
template <Number T>
T entmax_1_5_threshold(std::vector<T> xs) {
  std::stable_sort(xs.begin(), xs.end(), [](const T& x, const T& y) { return y < x; });
  T sum(0), squares(0), mean(0), spread(0), count(0);
  for (std::size_t n = 0; n < xs.size(); ++n) {
    const T k(static_cast<double>(n));
    const T above(T(squares - T(2) * xs[n] * sum) + T(k * xs[n] * xs[n]));
    if (n > 0 && !(above < T(1))) break;
    count = T(k + T(1));
    sum = sum + xs[n];
    squares = squares + xs[n] * xs[n];
    mean = T(sum / count);
    spread = max_of(T(squares - mean * sum), T(0));
  }
  return T(mean - sqrt_of(max_of(T(T(T(1) - spread) / count), T(0))));
}

template <Number T>
T power_of(const T& x, const T& exponent) {
  return T(0) < x ? T(exp_of(T(exponent * log_of(x)))) : T(0);
}

// The tau of sum [x - tau]_+^exponent = 1, of entries of which the greatest is 0. The sum falls
// with tau, from 1 or more at -1 to 0 at 0: Newton's method, and bisection where that leaves the
// bracket, until the numbers tell no more.
template <Number T>
T threshold_of_powers(const std::vector<T>& xs, const T& exponent) {
  T low(-1), high(0), tau(-1);
  for (;;) {
    T excess(-1), slope(0);
    for (const T& x : positive_parts(xs, tau)) {
      const T power = power_of(x, exponent);
      excess = excess + power;
      if (T(0) < x) slope = slope + T(exponent * power) / x;
    }
    (T(0) < excess ? low : high) = tau;
    T next(tau + T(excess / slope));
    if (!(next < tau) && !(tau < next)) return tau;
    if (!(low < next) || !(next < high)) next = T(T(low + high) / T(2));
    if (!(low < next) || !(next < high)) return low;
    tau = next;
  }
}

template <Number T>
std::vector<T> sparsemax_weights(const std::vector<T>& logits) {
  const std::vector<T> below = below_greatest(logits);
  return positive_parts(below, sparsemax_threshold(below));
}

template <Number T>
std::vector<T> entmax_1_5_weights(const std::vector<T>& logits) {
  std::vector<T> halves = below_greatest(logits);
  for (T& x : halves) x = T(x / T(2));
  std::vector<T> weights = positive_parts(halves, entmax_1_5_threshold(halves));
  for (T& x : weights) x = T(x * x);
  return weights;
}

template <Number T>
std::vector<T> alpha_entmax_weights(const std::vector<T>& logits, double alpha) {
  const T less_1(alpha - 1), exponent(T(1) / less_1);
  std::vector<T> scaled = below_greatest(logits);
  for (T& x : scaled) x = T(less_1 * x);
  std::vector<T> weights = positive_parts(scaled, threshold_of_powers(scaled, exponent));
  for (T& x : weights) x = power_of(x, exponent);
  return weights;
}

// Domain: one logit or more. alpha: of alpha_entmax alone. Result: nothing where the sum of
// relu_ratio or ratio is 0.
template <Number T>
std::vector<T> weights_of(normalizer n, double alpha, const std::vector<T>& logits) {
  switch (n) {
    case normalizer::softmax:
      return exponential_terms<T>(logits).weights();
    case normalizer::sparsemax:
      return sparsemax_weights(logits);
    case normalizer::entmax_1_5:
      return entmax_1_5_weights(logits);
    case normalizer::alpha_entmax:
      return alpha_entmax_weights(logits, alpha);
    case normalizer::relu_ratio:
      return shares_of(positive_parts(logits, T(0)));
    case normalizer::ratio:
      return shares_of(logits);
    case normalizer::identity:
      return logits;
    case normalizer::uniform:
      break;
  }
  return shares_of(std::vector<T>(logits.size(), T(1)));
}

}  // namespace attest

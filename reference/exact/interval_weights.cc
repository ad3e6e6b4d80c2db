#include "reference/exact/interval_weights.h"

#include <algorithm>

#include "reference/definition/normalizer.h"
#include "reference/multiprecision/mpfr_real.h"

namespace attest {
namespace {

using intervals = std::vector<interval>;

interval point(mpfr_srcptr x) {
  interval_end end;
  mpfr_set_prec(end.get(), mpfr_get_prec(x));
  mpfr_set(end.get(), x, MPFR_RNDN);
  return {end, end};
}

mpfr_real middle(const interval& x) {
  mpfr_real sum;
  mpfr_add(sum.get(), x.lower(), x.upper(), MPFR_RNDN);
  mpfr_div_2ui(sum.get(), sum.get(), 1, MPFR_RNDN);
  return sum;
}

// Domain: x >= 0, exponent > 0.
interval power(const interval& x, const interval& exponent) {
  if (mpfr_zero_p(x.upper()) != 0) return interval(0);
  if (identical(exponent, interval(1))) return x;
  if (identical(exponent, interval(2))) return x * x;
  return exp(exponent * log(x));
}

// --- The threshold of sum [x - tau]_+^exponent = 1, between two that are tested ---

class tested_threshold {
 public:
  tested_threshold(const intervals& xs, const interval& exponent) : exponent_(exponent) {
    for (const interval& x : xs) {
      least_.push_back(point(x.lower()));
      greatest_.push_back(point(x.upper()));
    }
  }

  // The sum grows with every x and falls with tau: tau is not below a number at which the least xs
  // sum to 1 or more, nor above one at which the greatest sum to 1 at most. Whatever the guess.
  interval around(const interval& guess, double distance) const {
    interval low = guess, high = guess;
    for (double step = distance; !reaches_1(low); step *= 16) low = guess - interval(step);
    for (double step = distance; !stays_within_1(high); step *= 16) high = guess + interval(step);
    interval_end lower, upper;
    mpfr_set(lower.get(), low.lower(), MPFR_RNDD);
    mpfr_set(upper.get(), high.upper(), MPFR_RNDU);
    return {lower, upper};
  }

 private:
  interval sum_above(const intervals& xs, const interval& tau) const {
    interval sum(0);
    for (const interval& part : positive_parts(xs, tau)) sum = sum + power(part, exponent_);
    return sum;
  }
  bool reaches_1(const interval& tau) const {
    return mpfr_cmp_ui(sum_above(least_, point(tau.lower())).lower(), 1) >= 0;
  }
  bool stays_within_1(const interval& tau) const {
    return mpfr_cmp_ui(sum_above(greatest_, point(tau.upper())).upper(), 1) <= 0;
  }

  interval exponent_;
  intervals least_, greatest_;
};

// A guess by the definition, in the middles of the intervals.
template <class Threshold>
interval guessed(const intervals& xs, Threshold threshold) {
  const working_precision scope(interval_precision::bits());
  std::vector<mpfr_real> middles;
  for (const interval& x : xs) middles.push_back(middle(x));
  return point(threshold(middles).get());
}

double greatest_width(const intervals& xs) {
  double greatest = 0;
  for (const interval& x : xs) greatest = std::max(greatest, width(x));
  return greatest;
}

template <class Threshold>
intervals entmax_weights(const intervals& xs, const interval& exponent, Threshold threshold) {
  constexpr long spare_bits = 10;
  const double resolution =
      mpfr_get_d(scaled(mpfr_real(1), spare_bits - interval_precision::bits()).get(), MPFR_RNDU);
  const interval tau = tested_threshold(xs, exponent)
                           .around(guessed(xs, threshold), greatest_width(xs) + resolution);
  intervals weights = positive_parts(xs, tau);
  for (interval& x : weights) x = power(x, exponent);
  return weights;
}

intervals entmax_1_5(const intervals& logits) {
  intervals halves = below_greatest(logits);
  for (interval& x : halves) x = x / interval(2);
  return entmax_weights(halves, interval(2), entmax_1_5_threshold<mpfr_real>);
}

intervals alpha_entmax(const intervals& logits, double alpha) {
  const interval less_1 = interval(alpha) - interval(1), exponent = interval(1) / less_1;
  intervals scaled_logits = below_greatest(logits);
  for (interval& x : scaled_logits) x = less_1 * x;
  return entmax_weights(scaled_logits, exponent, [&](const std::vector<mpfr_real>& xs) {
    return threshold_of_powers(xs, middle(exponent));
  });
}

// --- The others ---

intervals sparsemax(const intervals& logits) {
  const intervals below = below_greatest(logits);
  return positive_parts(below, sparsemax_threshold(in_descending_order(below)));
}

intervals shares(intervals xs) {
  interval sum(0);
  for (const interval& x : xs) sum = sum + x;
  if (identical(sum, interval(0))) return {};
  for (interval& x : xs) x = x / sum;  // the whole line where the sum may be 0
  return xs;
}

}  // namespace

std::vector<interval> enclose_weights(normalizer n, double alpha,
                                      const std::vector<interval>& logits) {
  if (n != normalizer::uniform && !all_finite(logits))
    return intervals(logits.size(), interval::whole_line());
  switch (n) {
    case normalizer::softmax:
      return exponential_terms<interval>(logits).weights();
    case normalizer::sparsemax:
      return sparsemax(logits);
    case normalizer::entmax_1_5:
      return entmax_1_5(logits);
    case normalizer::alpha_entmax:
      return alpha_entmax(logits, alpha);
    case normalizer::relu_ratio:
      return shares(positive_parts(logits, interval(0)));
    case normalizer::ratio:
      return shares(logits);
    case normalizer::identity:
      return logits;
    case normalizer::uniform:
      break;
  }
  return shares(intervals(logits.size(), interval(1)));
}

}  // namespace attest

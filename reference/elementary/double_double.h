// Numbers of about 106 bits, as unevaluated sums of two doubles: inside the elementary functions.
#pragma once

#include <cfloat>

namespace attest {

static_assert(FLT_EVAL_METHOD == 0, "a double operation must round to double");

// The number hi + lo; normalised when hi is the double nearest to it.
struct double_double {
  double hi;
  double lo;
};

// Computes: a + b exactly, normalised. Domain: |a| >= |b| or a = 0; no overflow.
// Source: T. J. Dekker, "A floating-point technique for extending the available precision", 1971.
constexpr double_double fast_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

// Computes: a + b exactly, normalised. Domain: no overflow.
// Source: D. E. Knuth, "The Art of Computer Programming", volume 2, section 4.2.2.
constexpr double_double two_sum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

// Computes: x as a sum of two numbers of at most 26 bits. Domain: |x| < 2^996.
constexpr double_double split_in_half(double x) {
  const double shifted = 0x1.0000002p+27 * x;
  const double hi = shifted - (shifted - x);
  return {hi, x - hi};
}

// Computes: a * b exactly, normalised.
// Domain: |a|, |b| < 2^996; no overflow, and no bit of a * b below 2^-1074.
// Source: Dekker, as above. Not by fma: without hardware for it, that is a slow call.
constexpr double_double two_product(double a, double b) {
  const double product = a * b;
  const double_double x = split_in_half(a);
  const double_double y = split_in_half(b);
  const double cross = ((x.hi * y.hi - product) + x.hi * y.lo) + x.lo * y.hi;
  return {product, cross + x.lo * y.lo};
}

// Error: below 2^-104 (|a| + |b|).
constexpr double_double operator+(double_double a, double_double b) {
  const double_double sum = two_sum(a.hi, b.hi);
  return fast_two_sum(sum.hi, sum.lo + (a.lo + b.lo));
}

constexpr double_double operator-(double_double a, double_double b) {
  return a + double_double{-b.hi, -b.lo};
}

// Error: below 2^-101, relative.
constexpr double_double operator*(double_double a, double_double b) {
  const double_double product = two_product(a.hi, b.hi);
  return fast_two_sum(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

// Error: below 2^-99, relative.
constexpr double_double operator/(double_double a, double_double b) {
  const double inverse = 1 / b.hi;
  const double quotient = a.hi * inverse;
  const double_double back = two_product(quotient, b.hi);
  const double remainder = ((a.hi - back.hi) - back.lo) + (a.lo - quotient * b.lo);
  return fast_two_sum(quotient, remainder * inverse);
}

// ln 2 = hi + lo to 2^-89; hi has 34 bits, so that its product with an integer below 2^19 is exact.
inline constexpr double_double ln2{0x1.62e42fef8p-1, 0x1.1cf79abc9e3b4p-36};

}  // namespace attest

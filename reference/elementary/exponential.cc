// e^x, 2^x, e^x - 1 and tanh x, all from one pair of doubles:
//   x = k ln2/128 + r,  |r| <= ln2/256,  k = 128 e + j,  e^x = 2^e 2^(j/128) (1 + expm1(r)).
// Errors of the pair, relative to e^x, before it is rounded:
//   argument   2^-77  (k ln2.lo/128 rounded, and ln2 to 2^-89 times at most 1075)
//   series     2^-83  (its first term left out, r^8/8!)
//   tail       2^-79  (r^3/6 + ... rounded); 2^-70 relative to expm1(r), all there is when k = 0
//   table      2^-88  (2^(j/128), by at most 127 products)
// e^x - 1: 2^-67 relative, as |e^x - 1| >= 2^-9 whenever k is not 0.
#include <array>
#include <bit>
#include <cstdint>
#include <limits>

#include "reference/elementary/double_double.h"
#include "reference/elementary/elementary.h"

namespace attest {
namespace {

constexpr int steps = 128;  // to an octave
constexpr double infinity = std::numeric_limits<double>::infinity();

// Computes: e^x by its series. Domain: |x| < 0.01. Error: below 2^-100.
constexpr double_double exp_series(double_double x) {
  double_double sum{1, 0};
  for (int n = 16; n > 0; --n) {
    sum = double_double{1, 0} + sum * x / double_double{static_cast<double>(n), 0};
  }
  return sum;
}

// 2^(j/128), j from 0.
constexpr std::array<double_double, steps> roots_of_two = [] {
  const double_double first = exp_series({ln2.hi / steps, ln2.lo / steps});
  std::array<double_double, steps> roots{double_double{1, 0}};
  for (int j = 1; j < steps; ++j) roots[j] = roots[j - 1] * first;
  return roots;
}();

// Domain: -1022 <= exponent <= 1023.
double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

// Computes: x 2^exponent, exact where the result is a double. Domain: x near 1, |exponent| < 2044.
double scale(double x, int exponent) {
  const int half = exponent / 2;
  return x * power_of_two(half) * power_of_two(exponent - half);
}

// Computes: the nearest integer. Domain: |x| < 2^51.
double nearest_integer(double x) { return (x + 0x1.8p52) - 0x1.8p52; }

// The argument of an exponential: steps of ln2/128, and what is left over.
struct reduced {
  int k;
  double_double r;
};

// Domain: |x| < 1100, so |k| < 2^18 and x - k ln2.hi/128 is exact.
reduced reduce(double x) {
  const double k = nearest_integer(x * (steps / (ln2.hi + ln2.lo)));
  const double_double r = two_sum(x - k * (ln2.hi / steps), -k * (ln2.lo / steps));
  return {static_cast<int>(k), r};
}

// Domain: |x| < 1100. x - k/128 is exact.
reduced reduce_base_2(double x) {
  const double k = nearest_integer(x * steps);
  const double rest = x - k / steps;
  const double_double r = two_product(rest, ln2.hi);
  return {static_cast<int>(k), fast_two_sum(r.hi, r.lo + rest * ln2.lo)};
}

// Computes: e^r - 1, the first two terms of the series in pairs. Domain: |r| <= ln2/256.
double_double expm1_series(double_double r) {
  const double x = r.hi;
  const double_double square = two_product(x, x);
  const double tail =
      x * square.hi * (1. / 6 + x * (1. / 24 + x * (1. / 120 + x * (1. / 720 + x * (1. / 5040)))));
  const double_double sum = fast_two_sum(x, square.hi / 2);
  return fast_two_sum(sum.hi, sum.lo + (tail + (r.lo + (square.lo / 2 + x * r.lo))));
}

// The number y 2^exponent, y in [0.99, 2.01].
struct scaled_pair {
  double_double y;
  int exponent;
};

scaled_pair exponential(reduced x) {
  const double_double root = roots_of_two[x.k & (steps - 1)];
  const double_double step = root * expm1_series(x.r);
  const double_double y = fast_two_sum(root.hi, step.hi);
  return {fast_two_sum(y.hi, y.lo + (step.lo + root.lo)), x.k >> 7};
}

// Computes: the pair as a double, rounded once. Subnormal results have the spacing of the smallest
// normal number, so there the rounding is done by adding that number (divided by 2^exponent, as y
// is) and taking it away.
double round_once(scaled_pair x) {
  if (x.exponent > -1022) return scale(x.y.hi, x.exponent);
  const double smallest_normal = power_of_two(-1022 - x.exponent);
  if (x.y.hi >= smallest_normal) return scale(x.y.hi, x.exponent);
  const double_double sum = fast_two_sum(smallest_normal, x.y.hi);
  return scale((sum.hi + (sum.lo + x.y.lo)) - smallest_normal, x.exponent);
}

// Computes: e^x - 1. Domain: -52 <= x < 64.
double_double expm1_pair(double x) {
  const reduced argument = reduce(x);
  if (argument.k == 0) return expm1_series(argument.r);
  const scaled_pair power = exponential(argument);
  const double unit = power_of_two(power.exponent);
  return double_double{power.y.hi * unit, power.y.lo * unit} + double_double{-1, 0};
}

}  // namespace

double exp_double(double x) {
  if (!(x < 710)) return x + infinity;  // NaN stays NaN
  if (x < -746) return 0;
  return round_once(exponential(reduce(x)));
}

double exp2_double(double x) {
  if (!(x < 1024)) return x + infinity;
  if (x < -1076) return 0;
  return round_once(exponential(reduce_base_2(x)));
}

// Left out where it costs below 2^-17 ulp: x^2/2 for the smallest x, 1 beside e^64, e^-52 beside 1.
double expm1_double(double x) {
  if (-0x1p-70 < x && x < 0x1p-70) return x;
  if (!(x < 64)) return exp_double(x);
  return x < -52 ? -1 : expm1_pair(x).hi;
}

// tanh x = e / (e + 2), e = e^(2x) - 1.
// Left out where that costs below 2^-17 ulp: x^3/3 for the smallest x, 2 e^(-2x) from 25 on.
double tanh_double(double x) {
  const double size = x < 0 ? -x : x;
  if (!(size >= 0x1p-36)) return x;
  if (size >= 25) return x < 0 ? -1 : 1;
  const double_double e = expm1_pair(2 * size);
  const double result = (e / (e + double_double{2, 0})).hi;
  return x < 0 ? -result : result;
}

}  // namespace attest

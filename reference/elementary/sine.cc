// Sine and cosine: x = k pi/2 + r, |r| <= pi/4, then the series of r, its first terms in pairs:
//   sin r = r - r^3 (1/3! - rest),  cos r = 1 - r^2/2 + r^4 (1/4! - rest).
// Errors in ulps of the result, beside the 0.5 of the last rounding:
//   argument   2^-20  (k half_pi[3] rounded, to 2^-136; of the doubles up to 2^20 but 0, the
//   nearest to a
//                      multiple of pi/2 is 2^-60.4 away: the continued fractions of 2^-n / (pi/2)
//                      tell)
//   series     2^-9   (first terms left out, r^19/19! and r^20/20!)
//   rest       2^-7   (rounded; it is 2^-8 of the sine, 2^-11 of the cosine)
#include <limits>

#include "reference/elementary/double_double.h"
#include "reference/elementary/elementary.h"

namespace attest {
namespace {

// The first three have at most 33 bits: times an integer below 2^20 they are exact.
constexpr double half_pi[] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2ep-69,
                              0x1.b839a252049c1p-104};
constexpr double two_over_pi = 0x1.45f306dc9c883p-1;

// The argument: quarter turns modulo 4, and what is left over.
struct reduced {
  int quadrant;
  double_double r;
};

// Domain: |x| <= 2^20. Where the sum of the first three parts is small, it is exact.
reduced reduce(double x) {
  const double k = (x * two_over_pi + 0x1.8p52) - 0x1.8p52;
  const double_double two = two_sum(x - k * half_pi[0], -k * half_pi[1]);
  const double_double three = two_sum(two.hi, -k * half_pi[2]);
  const double rest = three.lo + (two.lo - k * half_pi[3]);
  return {static_cast<int>(k) & 3, fast_two_sum(three.hi, rest)};
}

constexpr double_double reciprocal(double n) { return double_double{1, 0} / double_double{n, 0}; }

// The factorials of a series, from its second term in `rest` on.
using factorials = double[7];
constexpr factorials of_sine = {120,        5040,          362880,         39916800,
                                6227020800, 1307674368000, 355687428096000};
constexpr factorials of_cosine = {720,         40320,          3628800,         479001600,
                                  87178291200, 20922789888000, 6402373705728000};

// Computes: first - s/n[0] + s^2/n[1] - ..., all but the first term in plain doubles.
double_double alternating_series(double_double first, const factorials& n, double s) {
  double rest = 0;
  for (int i = 6; i >= 0; --i) rest = s * (1 / n[i] - rest);
  return first - double_double{rest, 0};
}

double sine(double_double r) {
  constexpr double_double first = reciprocal(6);
  const double_double s = r * r;
  return (r - r * s * alternating_series(first, of_sine, s.hi)).hi;
}

double cosine(double_double r) {
  constexpr double_double first = reciprocal(24);
  const double_double s = r * r;
  const double_double start = double_double{1, 0} - double_double{s.hi / 2, s.lo / 2};
  return (start + s * s * alternating_series(first, of_cosine, s.hi)).hi;
}

// Computes: sin(r + quadrant pi/2).
double sine_in_quadrant(int quadrant, double_double r) {
  const double value = quadrant % 2 == 0 ? sine(r) : cosine(r);
  return quadrant % 4 < 2 ? value : -value;
}

bool in_domain(double x) { return -0x1p20 <= x && x <= 0x1p20; }

}  // namespace

// x^3/6 is left out for the smallest x, at a cost below 2^-9 ulp.
double sin_double(double x) {
  if (!in_domain(x)) return std::numeric_limits<double>::quiet_NaN();
  if (-0x1p-31 < x && x < 0x1p-31) return x;
  const reduced argument = reduce(x);
  return sine_in_quadrant(argument.quadrant, argument.r);
}

double cos_double(double x) {
  if (!in_domain(x)) return std::numeric_limits<double>::quiet_NaN();
  const reduced argument = reduce(x);
  return sine_in_quadrant(argument.quadrant + 1, argument.r);
}

}  // namespace attest

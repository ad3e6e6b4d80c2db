// Sine and cosine: x = k pi/2 + r, |r| <= pi/4, then the series of r, all but its first terms in plain doubles.
// Errors in ulps of the result, beside the 0.5 of the last rounding:
//   argument   2^-10  (four parts of pi/2 go 2^-160 deep, and what cancels does so exactly)
//   series     2^-9   (first terms left out: r^19/19! and r^20/20!)
//   tail       0.2    (r^3/6 - ... rounded, at most 0.11 r); for the cosine 0.1 (r^4/24, at most 0.03 of it)
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

// Domain: |x| <= 2^20.
reduced reduce(double x) {
  const double k = (x * two_over_pi + 0x1.8p52) - 0x1.8p52;
  double_double r{x - k * half_pi[0], 0};
  for (int part = 1; part < 4; ++part) r = r + double_double{-k * half_pi[part], 0};
  return {static_cast<int>(k) & 3, r};
}

// Computes: c[0] - s (c[1] - s (c[2] - ...)).
double alternating_series(const double (&c)[8], double s) {
  double sum = 0;
  for (int n = 7; n >= 0; --n) sum = c[n] - s * sum;
  return sum;
}

// 1/3!, 1/5!, ... 1/17!
constexpr double sine_terms[] = {
    1. / 6,        1. / 120,        1. / 5040,            1. / 362880,
    1. / 39916800, 1. / 6227020800, 1. / 1307674368000LL, 1. / 355687428096000LL};
// 1/4!, 1/6!, ... 1/18!
constexpr double cosine_terms[] = {
    1. / 24,        1. / 720,         1. / 40320,            1. / 3628800,
    1. / 479001600, 1. / 87178291200, 1. / 20922789888000LL, 1. / 6402373705728000LL};

double sine(double_double r) {
  const double s = r.hi * r.hi;
  const double tail = -r.hi * s * alternating_series(sine_terms, s);
  return r.hi + (tail + r.lo * (1 - s / 2));
}

// 1 - r^2/2 is a pair.
double cosine(double_double r) {
  const double_double square = two_product(r.hi, r.hi);
  const double_double start = fast_two_sum(1, -square.hi / 2);
  const double tail = square.hi * square.hi * alternating_series(cosine_terms, square.hi);
  return start.hi + (start.lo + (tail - (square.lo / 2 + r.hi * r.lo)));
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

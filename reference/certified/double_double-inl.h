// Vectors of double-doubles: numbers hi + lo of about 106 bits, one a lane. Compiled once for each
// instruction set. Sums and products are written without fused operations but for the error of a
// product, which is exact with and without: every instruction set gives the same bits.
//
// u = 2^-53. The error bounds are those of M. Joldes, J.-M. Muller, V. Popescu, "Tight and rigorous
// error bounds for basic building blocks of double-word arithmetic", ACM TOMS 44(2), 2017, and hold
// short of overflow and underflow.
#if defined(ATTEST_DOUBLE_DOUBLE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTEST_DOUBLE_DOUBLE_INL_H
#undef ATTEST_DOUBLE_DOUBLE_INL_H
#else
#define ATTEST_DOUBLE_DOUBLE_INL_H
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace attest::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using lanes = hn::ScalableTag<double>;
using vector = hn::Vec<lanes>;

HWY_INLINE vector all(double x) { return hn::Set(lanes(), x); }

struct double_doubles {
  vector hi;
  vector lo;
};

// Computes: a + b exactly. Domain: |a| >= |b| or a = 0.
HWY_INLINE double_doubles fast_two_sum(vector a, vector b) {
  const vector sum = hn::Add(a, b);
  return {sum, hn::Sub(b, hn::Sub(sum, a))};
}

// Computes: a + b exactly.
HWY_INLINE double_doubles two_sum(vector a, vector b) {
  const vector sum = hn::Add(a, b);
  const vector part = hn::Sub(sum, a);
  return {sum, hn::Add(hn::Sub(a, hn::Sub(sum, part)), hn::Sub(b, part))};
}

// Computes: x as a sum of two numbers of at most 26 bits. Domain: |x| < 2^996.
HWY_INLINE double_doubles split_in_half(vector x) {
  const vector shifted = hn::Mul(all(0x1.0000002p+27), x);
  const vector hi = hn::Sub(shifted, hn::Sub(shifted, x));
  return {hi, hn::Sub(x, hi)};
}

// Computes: a * b exactly. Domain: |a|, |b| < 2^996; no bit of a * b below 2^-1074.
HWY_INLINE double_doubles two_product(vector a, vector b) {
  const vector product = hn::Mul(a, b);
#if HWY_NATIVE_FMA
  return {product, hn::MulSub(a, b, product)};
#else
  const double_doubles x = split_in_half(a), y = split_in_half(b);
  const vector cross = hn::Add(hn::Add(hn::Sub(hn::Mul(x.hi, y.hi), product), hn::Mul(x.hi, y.lo)),
                               hn::Mul(x.lo, y.hi));
  return {product, hn::Add(cross, hn::Mul(x.lo, y.lo))};
#endif
}

// Error: 2 u^2, relative (DWPlusFP).
HWY_INLINE double_doubles plus(double_doubles a, vector b) {
  const double_doubles sum = two_sum(a.hi, b);
  return fast_two_sum(sum.hi, hn::Add(a.lo, sum.lo));
}

// Error: 3 u^2 + 13 u^3, relative (AccurateDWPlusDW).
HWY_INLINE double_doubles plus(double_doubles a, double_doubles b) {
  const double_doubles high = two_sum(a.hi, b.hi), low = two_sum(a.lo, b.lo);
  const double_doubles sum = fast_two_sum(high.hi, hn::Add(high.lo, low.hi));
  return fast_two_sum(sum.hi, hn::Add(low.lo, sum.lo));
}

// Error: 5 u^2, relative (DWTimesDW1); none where b is a power of two.
HWY_INLINE double_doubles times(double_doubles a, double_doubles b) {
  const double_doubles product = two_product(a.hi, b.hi);
  const vector cross = hn::Add(hn::Mul(a.hi, b.lo), hn::Mul(a.lo, b.hi));
  return fast_two_sum(product.hi, hn::Add(product.lo, cross));
}

}  // namespace attest::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

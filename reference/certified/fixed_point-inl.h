// Sums of products without rounding, in two fixed-point accumulators.
//
// s starts at 1.5 2^(m+1), where 2^m bounds every partial sum. It so stays in one binade, takes
// from each product a multiple of its own last bit, and what that leaves is below it: exact, and
// summed in c, exactly, too, as long as the products are multiples of a bit that c can hold. Proof:
// derivation/bounds/certified.md, "Sums without error".
#if defined(ATTEST_FIXED_POINT_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTEST_FIXED_POINT_INL_H
#undef ATTEST_FIXED_POINT_INL_H
#else
#define ATTEST_FIXED_POINT_INL_H
#endif

#include "reference/certified/double_double-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attest::HWY_NAMESPACE {

struct fixed_point_pair {
  vector s;
  vector c;
};

// Where s starts. anchor: 2^m.
HWY_INLINE vector start(vector anchor) { return hn::Mul(all(3), anchor); }

HWY_INLINE fixed_point_pair empty_pair(vector anchor) { return {start(anchor), hn::Zero(lanes())}; }

// Adds a b. The two accumulators may share it out differently with and without fused operations;
// their total is the same.
HWY_INLINE void add_product(fixed_point_pair& sum, vector a, vector b) {
#if HWY_NATIVE_FMA
  const vector next = hn::MulAdd(a, b, sum.s);
  const vector rest = hn::MulSub(a, b, hn::Sub(next, sum.s));
#else
  const double_doubles product = two_product(a, b);
  const vector next = hn::Add(product.hi, sum.s);
  const vector rest = hn::Add(hn::Sub(product.hi, hn::Sub(next, sum.s)), product.lo);
#endif
  sum.s = next;
  sum.c = hn::Add(sum.c, rest);
}

// Computes: the sum of the products, as the double-double nearest to it. Exact.
HWY_INLINE double_doubles total(const fixed_point_pair& sum, vector anchor) {
  return two_sum(hn::Sub(sum.s, start(anchor)), sum.c);
}

}  // namespace attest::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

// e^t and tanh x of vectors of double-doubles. The same bits on every instruction set.
//
//   t = n ln2/512 + r,  n = 512 power + i,  e^t = 2^power 2^(i/512) (1 + P),  P = e^r - 1.
//
// Proof and budget of every error: derivation/bounds/exponential.md.
#if defined(ATTEST_EXPONENTIAL_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTEST_EXPONENTIAL_INL_H
#undef ATTEST_EXPONENTIAL_INL_H
#else
#define ATTEST_EXPONENTIAL_INL_H
#endif

#include <hwy/highway.h>

#include "reference/certified/double_double-inl.h"
#include "reference/certified/exponential_constants.h"
#include "reference/certified/roots_of_two.h"

HWY_BEFORE_NAMESPACE();
namespace attest::HWY_NAMESPACE {

namespace constants = exponential_constants;

// The number fraction 2^power, power an integer.
struct exponentials {
  double_doubles fraction;
  vector power;
};

// The argument of an exponential: t = n ln2/512 + r with n = 512 power + index.
struct reduced_arguments {
  double_doubles r;
  vector power;
  hn::VFromD<hn::RebindToSigned<lanes>> index;
};

// Computes: n as the last bits of an integer, and as the double 1.5 2^52 + n.
HWY_INLINE vector shifted_steps(vector t) {
  return hn::Add(hn::Mul(t, all(constants::steps)), all(0x1.8p52));
}

// Computes: t - n ln2/512. Error: 2^-115. The sums are exact: their first operand is a multiple of
// the last place of the second.
HWY_INLINE double_doubles rest_after_steps(double_doubles t, vector n) {
  const vector first = hn::Sub(t.hi, hn::Mul(n, all(constants::step_1)));
  const double_doubles product = two_product(n, all(-constants::step_2));
  const double_doubles second = fast_two_sum(first, product.hi);
  const double_doubles r = fast_two_sum(second.hi, t.lo);
  const vector low = hn::Sub(product.lo, hn::Mul(n, all(constants::step_3)));
  return {r.hi, hn::Add(hn::Add(second.lo, r.lo), low)};
}

HWY_INLINE reduced_arguments reduce(double_doubles t) {
  const hn::RebindToSigned<lanes> integers;
  const vector shifted = shifted_steps(t.hi);
  const auto bits = hn::BitCast(integers, shifted);
  const auto index = hn::And(bits, hn::Set(integers, roots_of_two_count - 1));
  const vector whole = hn::BitCast(lanes(), hn::Sub(bits, index));  // 1.5 2^52 + 512 power
  return {rest_after_steps(t, hn::Sub(shifted, all(0x1.8p52))),
          hn::Mul(hn::Sub(whole, all(0x1.8p52)), all(1. / roots_of_two_count)), index};
}

// Computes: 2 (e^r - 1 - r - s) / r^3 = 1/3 + r/12 + ..., s = r^2/2.
HWY_INLINE double_doubles cubic_factor(vector r, vector s) {
  const vector end = hn::Add(all(constants::c7), hn::Mul(r, all(constants::c8)));
  const vector middle = hn::Add(all(constants::c5), hn::Mul(r, all(constants::c6)));
  const vector tail = hn::Mul(s, hn::Add(middle, hn::Mul(s, end)));
  const double_doubles linear = two_product(r, all(constants::c4_hi));
  const double_doubles factor = fast_two_sum(all(constants::c3_hi), linear.hi);
  const vector low = hn::Add(all(constants::c3_lo), hn::Mul(r, all(constants::c4_lo)));
  return {factor.hi, hn::Add(tail, hn::Add(factor.lo, hn::Add(linear.lo, low)))};
}

// Computes: a b, not normalised: the largest part of the product is exact.
HWY_INLINE double_doubles plain_product(double_doubles a, double_doubles b) {
  const double_doubles product = two_product(a.hi, b.hi);
  const vector cross = hn::Add(hn::Mul(a.hi, b.lo), hn::Mul(a.lo, b.hi));
  return {product.hi, hn::Add(product.lo, cross)};
}

// Computes: e^(r + d) - 1 = p + d (1 + p), p = e^r - 1 = r + r^2/2 + r^3/2 factor.
HWY_INLINE double_doubles expm1_of_rest(vector r, vector d) {
  const double_doubles s = two_product(hn::Mul(r, all(0.5)), r);
  double_doubles cube = two_product(s.hi, r);
  cube.lo = hn::Add(cube.lo, hn::Mul(s.lo, r));
  const double_doubles term = plain_product(cube, cubic_factor(r, s.hi));
  const double_doubles head = fast_two_sum(r, s.hi);
  const double_doubles p = fast_two_sum(head.hi, term.hi);
  const vector low = hn::Add(hn::Add(term.lo, s.lo), hn::Add(d, hn::Mul(d, p.hi)));
  return {p.hi, hn::Add(hn::Add(head.lo, p.lo), low)};
}

HWY_INLINE double_doubles root_of_two(hn::VFromD<hn::RebindToSigned<lanes>> index) {
  return {hn::GatherIndex(lanes(), roots_of_two_hi, index),
          hn::GatherIndex(lanes(), roots_of_two_lo, index)};
}

// Computes: e^t = fraction 2^power, fraction in (0.999, 2), normalised.
// Domain: t normalised, |t| <= exponential_domain. Error: exponential_error, relative.
HWY_INLINE exponentials exponential(double_doubles t) {
  const reduced_arguments x = reduce(t);
  const double_doubles root = root_of_two(x.index);
  const double_doubles step = plain_product(root, expm1_of_rest(x.r.hi, x.r.lo));
  const double_doubles sum = fast_two_sum(root.hi, step.hi);
  const vector low = hn::Add(sum.lo, hn::Add(root.lo, step.lo));
  return {fast_two_sum(sum.hi, low), x.power};
}

// Computes: e^t as a number. Domain: its power is in [-1000, 1000].
HWY_INLINE double_doubles number_of(exponentials e) {
  const hn::RebindToSigned<lanes> integers;
  // The last bits of 2^52 + 1023 + power, moved to where the exponent is.
  const vector shifted = hn::Add(e.power, all(0x1p52 + 1023));
  const vector scale = hn::BitCast(lanes(), hn::ShiftLeft<52>(hn::BitCast(integers, shifted)));
  return {hn::Mul(e.fraction.hi, scale), hn::Mul(e.fraction.lo, scale)};
}

// Computes: a / b. Domain: b > 0, normal quotients. Error: a few u^2, relative.
HWY_INLINE double_doubles over(double_doubles a, double_doubles b) {
  const vector quotient = hn::Div(a.hi, b.hi);
  const double_doubles back = two_product(quotient, b.hi);
  const vector rest = hn::Sub(hn::Sub(a.hi, back.hi), back.lo);  // exact
  const vector low = hn::Sub(a.lo, hn::Mul(quotient, b.lo));
  return fast_two_sum(quotient, hn::Div(hn::Add(rest, low), b.hi));
}

// Computes: tanh x = 1 - 2 e / (1 + e), e = e^(-2 |x|), with the sign of x.
// Domain: x finite, normalised. Error: tanh_error, absolute.
HWY_INLINE double_doubles tanh_of(double_doubles x) {
  const vector sign = hn::And(x.hi, hn::SignBit(lanes()));
  const vector size = hn::Min(hn::Abs(x.hi), all(40));  // beyond, 1 - tanh |x| < 2^-114
  const vector low = hn::IfThenElseZero(hn::Lt(size, all(40)), hn::Xor(sign, x.lo));
  const double_doubles e = number_of(exponential({hn::Mul(all(-2), size), hn::Mul(all(-2), low)}));
  const double_doubles above = fast_two_sum(all(1), e.hi);
  const double_doubles rest =
      over({hn::Add(e.hi, e.hi), hn::Add(e.lo, e.lo)}, {above.hi, hn::Add(above.lo, e.lo)});
  const double_doubles y = fast_two_sum(all(1), hn::Neg(rest.hi));
  const double_doubles result = fast_two_sum(y.hi, hn::Sub(y.lo, rest.lo));
  return {hn::Xor(sign, result.hi), hn::Xor(sign, result.lo)};
}

}  // namespace attest::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

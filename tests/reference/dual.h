// Dual numbers: a value with its derivative in one direction, carried through any evaluation by the
// rules of the calculus. The second opinion on gradients.
//
// The direction comes in through the inputs, which are doubles: x is read as v + 2^-40 v', v being
// the multiple of 2^-20 that is nearest. So inputs that are such multiples are constants, and one
// that is moved by 2^-40 is the variable. What sums doubles, or multiplies them by a constant, and
// loses no bit on the way, keeps derivatives right before they get here.
#pragma once

#include <cmath>

#include "reference/definition/number.h"

namespace attest::test {

inline constexpr double dual_step = 0x1p-40;

template <Number Real>
struct dual {
  Real value{0}, derivative{0};

  dual() = default;
  // Domain: the value is a constant of at most 33 bits before the point, or an infinity or NaN.
  explicit dual(double x) {
    const double nearest = std::isfinite(x) ? std::nearbyint(x * 0x1p20) * 0x1p-20 : x;
    value = Real(nearest);
    if (std::isfinite(x)) derivative = Real((x - nearest) / dual_step);
  }
  dual(const Real& v, const Real& d) : value(v), derivative(d) {}

  friend dual operator+(const dual& x, const dual& y) {
    return {Real(x.value + y.value), Real(x.derivative + y.derivative)};
  }
  friend dual operator-(const dual& x, const dual& y) {
    return {Real(x.value - y.value), Real(x.derivative - y.derivative)};
  }
  friend dual operator*(const dual& x, const dual& y) {
    return {Real(x.value * y.value),
            Real(Real(x.derivative * y.value) + Real(x.value * y.derivative))};
  }
  friend dual operator/(const dual& x, const dual& y) {
    const Real ratio(x.value / y.value);
    return {ratio, Real(Real(x.derivative - Real(ratio * y.derivative)) / y.value)};
  }
  friend bool operator<(const dual& x, const dual& y) { return x.value < y.value; }

  friend dual exp(const dual& x) {
    const Real e = exp_of(x.value);
    return {e, Real(e * x.derivative)};
  }
  friend dual log(const dual& x) { return {log_of(x.value), Real(x.derivative / x.value)}; }
  friend dual tanh(const dual& x) {
    const Real t = tanh_of(x.value);
    return {t, Real(Real(Real(1) - Real(t * t)) * x.derivative)};
  }
  friend dual sqrt(const dual& x) {
    const Real root = sqrt_of(x.value);
    return {root, Real(x.derivative / Real(Real(2) * root))};
  }
};

}  // namespace attest::test

// Derivatives without a formula. What is computed of inputs that are doubles is evaluated, in as
// many digits as one likes, where one of them is moved by a step f(step); steps are powers of two,
// so that what is moved is a double again.
#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <string>

#include "reference/tensors/tensor.h"
#include "tests/reference/dual.h"

namespace attest::test {

// (f(h) - f(-h)) / 2h. Error: h^2 f''' / 6, and more of order h^4.
template <Number Real, class Function>
Real central_difference(const Function& f, double h) {
  return Real(Real(f(h) - f(-h)) / Real(2 * h));
}

// Three of them, at h, 2h and 4h, of which the errors of order h^2 and h^4 cancel.
template <Number Real, class Function>
Real extrapolated_difference(const Function& f, double h) {
  const Real first = central_difference<Real>(f, h), second = central_difference<Real>(f, 2 * h),
             third = central_difference<Real>(f, 4 * h);
  const Real near(Real(Real(4) * first - second) / Real(3));
  const Real far(Real(Real(4) * second - third) / Real(3));
  return Real(Real(Real(16) * near - far) / Real(15));
}

template <Number Real>
double size_of(const Real& x) {
  return std::fabs(static_cast<double>(x));
}

// n where the error of a central difference is as h^n: log2 of what doubling h does. Nothing where
// there is hardly any, as of a function without a third derivative.
template <Number Real, class Function>
std::optional<double> observed_order(const Function& f, const Real& derivative, double h) {
  const Real small(central_difference<Real>(f, h) - derivative),
      large(central_difference<Real>(f, 2 * h) - derivative);
  if (size_of(small) < 1e-60 * (1 + size_of(derivative))) return {};
  return std::log2(size_of(Real(large / small)));
}

// How a derivative that is given agrees with others. Errors are relative to 1 + its size.
struct agreement {
  double with_differences = 0, with_dual = 0;
  std::optional<double> order;

  bool holds() const {
    return with_differences <= 1e-50 && with_dual <= 1e-95 &&
           !(order && !(std::fabs(*order - 2) <= 0.01));
  }
  std::string text() const {
    return "off differences by 10^" + std::to_string(std::log10(with_differences)) +
           ", off dual numbers by 10^" + std::to_string(std::log10(with_dual)) + ", order " +
           (order ? std::to_string(*order) : "none");
  }
};

inline constexpr double coarse_step = 0x1p-13;

// Computes: the agreement of a derivative of sum(input) with that by differences and by dual
//   numbers. `move` moves one number of the input by a step; sum.template operator()<T>(input) is
//   computed in the number T.
// Domain: the numbers of the input are multiples of 2^-20, and the sum is smooth within 2^-12.
template <Number Real, class Input, class Sum>
agreement agreement_of(const Real& derivative, const Input& input,
                       const std::function<void(Input&, double)>& move, const Sum& sum) {
  const auto of_moved = [&]<Number T>(const T&, double step) {
    Input moved = input;
    move(moved, step);
    return sum.template operator()<T>(moved);
  };
  const auto f = [&](double step) { return of_moved(Real(0), step); };
  const Real near = extrapolated_difference<Real>(f, dual_step);
  const Real exact = of_moved(dual<Real>(), dual_step).derivative;
  const double size = 1 + size_of(derivative);
  return {size_of(Real(near - derivative)) / size, size_of(Real(exact - derivative)) / size,
          observed_order<Real>(f, derivative, coarse_step)};
}

// Computes: in doubles, odd multiples of 2^-5 near what is given: no step reaches a kink at 0, and
// what is divided by a sum of such numbers of one sign hardly feels one.
inline tensor off_zero(const tensor& t) {
  tensor moved(f64, place(layout::bhld, t.sizes()), 0);
  for_each_index(t.sizes(),
                 [&](const index4& i) { moved.set(i, (std::floor(t.at(i) * 16) + 0.5) / 16); });
  return moved;
}

}  // namespace attest::test

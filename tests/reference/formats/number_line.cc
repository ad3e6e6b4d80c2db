#include "tests/reference/formats/number_line.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {
namespace {

int sign_of(wide_integer x) { return x < 0 ? -1 : x > 0; }
wide_integer abs_of(wide_integer x) { return x < 0 ? -x : x; }

// What IEEE 754 says of the result when it is an infinity, NaN or zero; otherwise only its sign is
// used.
double in_doubles(operation op, double x, double y, double z) {
  switch (op) {
    case operation::add:
      return x + y;
    case operation::sub:
      return x - y;
    case operation::mul:
      return x * y;
    case operation::div:
      return x / y;
    case operation::sqrt:
      return std::sqrt(x);
    case operation::fma:
      return std::fma(x, y, z);
  }
  return 0;
}

// IEEE 754, 6.3: a sum that is exactly zero is -0 in mode down, unless both terms are +0.
bool is_minus_zero_downwards(operation op, double x, double y, double z) {
  if (op == operation::add) return std::signbit(x) || std::signbit(y);
  if (op == operation::sub) return std::signbit(x) || !std::signbit(y);
  return op == operation::fma && (std::signbit(x) != std::signbit(y) || std::signbit(z));
}

}  // namespace

number_line::number_line(const format& f)
    : format_(&f), scale_(f.precision - f.min_exponent), points_{} {
  const wide_integer hidden = wide_integer{1} << (f.precision - 1);
  for (wide_integer m = 0; m < hidden; ++m) points_.push_back(2 * m);
  for (int e = f.min_exponent; e <= f.max_exponent; ++e)
    for (wide_integer m = hidden; m < 2 * hidden; ++m)
      points_.push_back((2 * m) << (e - f.min_exponent));
  // The all-ones significand is e4m3fn's NaN: the first point past the largest number.
  if (f.kind == specials::ieee)
    points_.push_back(wide_integer{4} * hidden << (f.max_exponent - f.min_exponent));
}

wide_integer number_line::units(double x) const {
  return std::isfinite(x) ? static_cast<wide_integer>(std::ldexp(x, scale_)) : 0;
}

number_line::comparison number_line::compare(operation op, double x, double y, double z) const {
  const wide_integer a = units(x), b = units(y), c = units(z);
  const wide_integer one = wide_integer{1} << scale_;
  switch (op) {
    case operation::add:
      return [=](wide_integer p) { return sign_of(abs_of(a + b) - p); };
    case operation::sub:
      return [=](wide_integer p) { return sign_of(abs_of(a - b) - p); };
    case operation::mul:
      return [=](wide_integer p) { return sign_of(abs_of(a * b) - p * one); };
    case operation::div:
      return [=](wide_integer p) { return sign_of(abs_of(a) * one - p * abs_of(b)); };
    case operation::sqrt:
      return [=](wide_integer p) { return sign_of(a * one - p * p); };
    case operation::fma:
      return [=](wide_integer p) { return sign_of(abs_of(a * b + c * one) - p * one); };
  }
  return {};
}

double number_line::infinity(rounding how) const {
  if (how.overflow == overflow_mode::saturate)
    return std::ldexp(static_cast<double>(points_[points_.size() - 2]), -scale_);
  return format_->kind == specials::nan_only ? std::numeric_limits<double>::quiet_NaN()
                                             : std::numeric_limits<double>::infinity();
}

double number_line::overflowed(rounding how, bool negative) const {
  const rounding_mode inwards = negative ? rounding_mode::up : rounding_mode::down;
  if (how.mode == inwards || how.mode == rounding_mode::to_zero)
    how.overflow = overflow_mode::saturate;
  return infinity(how);
}

double number_line::rounded(rounding how, bool negative, const comparison& versus) const {
  const auto above = std::partition_point(points_.begin(), points_.end(),
                                          [&](wide_integer p) { return versus(p) >= 0; });
  if (above == points_.end()) return overflowed(how, negative);
  const auto below = above - 1;
  const bool exact = versus(*below) == 0;
  const int versus_half = versus((*below + *above) / 2);
  const bool below_is_odd = (below - points_.begin()) % 2 != 0;
  bool away = !exact && how.mode == (negative ? rounding_mode::down : rounding_mode::up);
  if (how.mode == rounding_mode::nearest_even)
    away = versus_half > 0 || (versus_half == 0 && below_is_odd);
  const auto chosen = away ? above : below;
  if (chosen == points_.end() - 1) return overflowed(how, negative);
  const bool subnormal = *chosen < wide_integer{1} << format_->precision;
  const bool flush = subnormal && how.subnormals == subnormal_mode::flushed;
  return flush ? 0 : std::ldexp(static_cast<double>(*chosen), -scale_);
}

double number_line::result(operation op, rounding how, double x, double y, double z) const {
  const double guide = in_doubles(op, x, y, z);
  if (std::isnan(guide)) return guide;
  if (std::isinf(guide)) return std::copysign(infinity(how), guide);
  const bool downwards = how.mode == rounding_mode::down;
  if (guide == 0) return downwards && is_minus_zero_downwards(op, x, y, z) ? -0.0 : guide;
  const bool negative = std::signbit(guide);
  return std::copysign(rounded(how, negative, compare(op, x, y, z)), guide);
}

}  // namespace attest

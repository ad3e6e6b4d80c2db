#include "reference/certified/row_end.h"

#include <algorithm>
#include <cmath>

#include "reference/certified/budget.h"
#include "reference/certified/exponential.h"
#include "reference/elementary/elementary.h"
#include "reference/formats/format.h"

namespace attest {
namespace {

constexpr double raise = 1 + 0x1p-30;  // more than the error of evaluating a radius in double
constexpr double_double ln_2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
constexpr double_double inverse_ln_2{0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};

double factor(int power) { return power < -least_power ? 0 : power_of_two(power); }

struct scaled_exponential {
  double_double fraction;
  int power;
};

scaled_exponential exponential(double t) {
  const double zero = 0;
  double_double fraction{};
  double power = 0;
  exponentials_of(&t, &zero, 1, &fraction.hi, &fraction.lo, &power);
  return {fraction, static_cast<int>(power)};
}

// Computes: ln x to logarithm_error, absolute: y + d - d^2 / 2 with y = log(x.hi), 1 + d = x e^-y.
double_double logarithm(double_double x) {
  const double y = log_double(x.hi);
  const scaled_exponential inverse = exponential(-y);
  const double scale = power_of_two(inverse.power);
  const double_double one =
      x * double_double{inverse.fraction.hi * scale, inverse.fraction.lo * scale};
  const double d = (one.hi - 1) + one.lo;
  return two_sum(y, d - d * d / 2);
}

}  // namespace

void triple_sum::add(double x) {
  const double_double first = two_sum(part_[0], x);
  const double_double second = two_sum(part_[1], first.lo);
  part_[0] = first.hi;
  part_[1] = second.hi;
  part_[2] += second.lo;
}

void triple_sum::scale(double power_of_two) {
  for (double& part : part_) part *= power_of_two;
}

double_double triple_sum::value() const { return renormalised(part_[0], part_[1], part_[2]); }

row_mass::factors row_mass::rise_to(int power) {
  const int greatest = any_ ? std::max(power_, power) : power;
  const factors f{any_ ? factor(power_ - greatest) : 1, factor(power - greatest)};
  mass_.scale(f.keep);
  radius_ *= f.keep;
  lost_ *= f.keep;
  if (f.keep < 1 || f.add == 0) lost_ += negligible;  // also what many small falls add up to
  any_ = true;
  power_ = greatest;
  return f;
}

value_row row_mass::add(const row_weights& w) {
  const factors f = rise_to(w.power);
  for (const double part : w.mass) mass_.add(part * f.add);
  additions_ += 4;
  radius_ += f.add * (w.error + static_cast<double>(block_keys + 1) * weight_rounding);
  return {.high = w.high,
          .low = w.low,
          .sums = {},
          .keep = f.keep,
          .add = f.add,
          .weight_error = f.add * w.error,
          .fixed_error = f.add * fixed_point_error};
}

void row_mass::add_sink(double logit) {
  const scaled_exponential sink = exponential(logit);
  const factors f = rise_to(sink.power + 1);
  const double half = f.add / 2;
  mass_.add(sink.fraction.hi * half);
  mass_.add(sink.fraction.lo * half);
  radius_ += f.add * exponential_error;
}

double row_mass::radius() const {
  const double many = raise + cubed(additions_) * 0x1p-53;
  return many * (radius_ + lost_ + renormalisation_error * mass_.value().hi);
}

enclosure row_mass::log() const {
  const double_double m = mass();
  const double shift = power_;
  const double_double octaves = two_product(shift, ln_2.hi);
  const double_double sum = logarithm(m) + fast_two_sum(octaves.hi, octaves.lo + shift * ln_2.lo);
  const double error = radius() / (m.hi - radius());
  return {sum.hi, sum.lo,
          raise * (error + logarithm_error * (1 + std::fabs(shift) + std::fabs(sum.hi)))};
}

double_double renormalised(double a, double b, double c) {
  const double_double high = two_sum(a, b);
  return two_sum(high.hi, high.lo + c);
}

enclosure inverse(const enclosure& x) {
  const double q = 1 / x.high;
  const double_double back = two_product(q, x.high);
  const double rest = ((1 - back.hi) - back.lo) - q * x.low;
  const double_double result = fast_two_sum(q, rest / x.high);
  const double error = x.radius / (x.high - 2 * x.radius) + division_error;
  return {result.hi, result.lo, raise * error * result.hi};
}

enclosure product(const enclosure& x, const enclosure& y) {
  const double_double result = double_double{x.high, x.low} * double_double{y.high, y.low};
  const double size = std::fabs(result.hi);
  const double error = x.radius * std::fabs(y.high) + (std::fabs(x.high) + x.radius) * y.radius;
  return {result.hi, result.lo, raise * (error + product_error * size)};
}

enclosure in_base_2(const enclosure& x) {
  const double_double scaled = double_double{x.high, x.low} * inverse_ln_2;
  return {scaled.hi, scaled.lo,
          raise * (inverse_ln_2.hi * x.radius + 0x1p-99 * std::fabs(scaled.hi))};
}

}  // namespace attest

#include "reference/formats/ordinal.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {
namespace {

std::int64_t numbers_a_binade(const format& f) { return std::int64_t{1} << (f.precision - 1); }

int step_exponent(const format& f, int exponent) { return exponent - f.precision + 1; }

// The subnormals count up to the first binade; each binade has as many numbers again.
dyadic magnitude_at(const format& f, std::int64_t n) {
  const std::int64_t binade = std::max<std::int64_t>(n / numbers_a_binade(f) - 1, 0);
  return {n - binade * numbers_a_binade(f),
          step_exponent(f, f.min_exponent + static_cast<int>(binade))};
}

double beyond(const format& f) {
  return f.kind == specials::nan_only ? std::numeric_limits<double>::quiet_NaN()
                                      : std::numeric_limits<double>::infinity();
}

std::int64_t ordinal_of_magnitude(const format& f, double magnitude) {
  if (magnitude > largest_finite(f)) return last_ordinal(f) + 1;
  const int exponent = magnitude < smallest_normal(f) ? f.min_exponent : std::ilogb(magnitude);
  const double significand = std::scalbn(magnitude, -step_exponent(f, exponent));
  return (exponent - f.min_exponent) * numbers_a_binade(f) + static_cast<std::int64_t>(significand);
}

}  // namespace

std::int64_t last_ordinal(const format& f) { return ordinal_of_magnitude(f, largest_finite(f)); }

std::int64_t ordinal(const format& f, double number) {
  const std::int64_t n = ordinal_of_magnitude(f, std::fabs(number));
  return std::signbit(number) ? -n : n;
}

double number_at(const format& f, std::int64_t n) {
  const dyadic point = point_at(f, n);
  if (std::abs(n) > last_ordinal(f)) return std::copysign(beyond(f), n < 0 ? -1.0 : 1.0);
  return std::scalbn(static_cast<double>(point.significand), point.exponent);
}

dyadic point_at(const format& f, std::int64_t n) {
  dyadic point = magnitude_at(f, std::abs(n));
  if (n < 0) point.significand = -point.significand;
  return point;
}

dyadic midpoint_after(const format& f, std::int64_t n) {
  const dyadic below = magnitude_at(f, n < 0 ? -n - 1 : n);
  const std::int64_t doubled = 2 * below.significand + 1;
  return {n < 0 ? -doubled : doubled, below.exponent - 1};
}

}  // namespace attest

#include "reference/multiprecision/interval.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "reference/multiprecision/mpfr_text.h"

namespace attest {
namespace {

using unary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
using binary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

interval_end rounded(unary f, mpfr_srcptr x, mpfr_rnd_t towards) {
  interval_end result;
  f(result.get(), x, towards);
  return result;
}

interval_end rounded(binary f, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t towards) {
  interval_end result;
  f(result.get(), x, y, towards);
  return result;
}

interval_end end_at(double x) {
  static_assert(interval_bits >= std::numeric_limits<double>::digits);
  interval_end result;
  mpfr_set_d(result.get(), x, MPFR_RNDN);
  return result;
}

interval with_ends(mpfr_srcptr lower, mpfr_srcptr upper) {
  interval_end least, greatest;
  mpfr_set(least.get(), lower, MPFR_RNDD);
  mpfr_set(greatest.get(), upper, MPFR_RNDU);
  return {least, greatest};
}

// A function that grows on its whole domain maps ends to ends.
interval increasing(unary f, const interval& x) {
  return {rounded(f, x.lower(), MPFR_RNDD), rounded(f, x.upper(), MPFR_RNDU)};
}

// mpfr_min and mpfr_max pass over a NaN; here it must win, for it makes the whole line.
void keep_least(interval_end& least, const interval_end& x) {
  if (!mpfr_lessequal_p(least.get(), x.get())) least = x;
}

void keep_greatest(interval_end& greatest, const interval_end& x) {
  if (!mpfr_greaterequal_p(greatest.get(), x.get())) greatest = x;
}

bool is_point(const interval& x) { return mpfr_equal_p(x.lower(), x.upper()) != 0; }

// A product or quotient is monotone in each operand, so its extremes lie at corners.
interval hull_of_corners(binary f, const interval& x, const interval& y) {
  if (is_point(x) && is_point(y))
    return {rounded(f, x.lower(), y.lower(), MPFR_RNDD),
            rounded(f, x.lower(), y.lower(), MPFR_RNDU)};
  interval_end least = rounded(f, x.lower(), y.lower(), MPFR_RNDD);
  interval_end greatest = rounded(f, x.lower(), y.lower(), MPFR_RNDU);
  const std::array<std::array<mpfr_srcptr, 2>, 3> corners{
      {{x.lower(), y.upper()}, {x.upper(), y.lower()}, {x.upper(), y.upper()}}};
  for (const auto& [a, b] : corners) {
    const interval_end low = rounded(f, a, b, MPFR_RNDD);
    if (mpfr_nan_p(least.get()) || mpfr_nan_p(low.get())) return interval::whole_line();
    keep_least(least, low);
    keep_greatest(greatest, rounded(f, a, b, MPFR_RNDU));
  }
  return {least, greatest};
}

thread_local mpfr_prec_t precision = interval_bits;

}  // namespace

interval_precision::interval_precision(mpfr_prec_t bits) : previous_(precision) {
  precision = bits;
}

interval_precision::~interval_precision() { precision = previous_; }

mpfr_prec_t interval_precision::bits() { return precision; }

interval::interval(double x) : interval(end_at(x), end_at(x)) {}

interval::interval(const interval_end& lower, const interval_end& upper)
    : lower_(lower), upper_(upper) {
  if (!mpfr_nan_p(lower.get()) && !mpfr_nan_p(upper.get())) return;
  mpfr_set_inf(lower_.get(), -1);
  mpfr_set_inf(upper_.get(), 1);
}

interval interval::between(double lower, double upper) { return {end_at(lower), end_at(upper)}; }

interval interval::whole_line() { return interval(std::numeric_limits<double>::quiet_NaN()); }

interval operator+(const interval& x, const interval& y) {
  return {rounded(mpfr_add, x.lower(), y.lower(), MPFR_RNDD),
          rounded(mpfr_add, x.upper(), y.upper(), MPFR_RNDU)};
}

interval operator-(const interval& x, const interval& y) {
  return {rounded(mpfr_sub, x.lower(), y.upper(), MPFR_RNDD),
          rounded(mpfr_sub, x.upper(), y.lower(), MPFR_RNDU)};
}

interval operator*(const interval& x, const interval& y) { return hull_of_corners(mpfr_mul, x, y); }

interval operator/(const interval& x, const interval& y) {
  if (contains(y, 0.0)) return interval::whole_line();
  return hull_of_corners(mpfr_div, x, y);
}

interval exp(const interval& x) { return increasing(mpfr_exp, x); }
interval tanh(const interval& x) { return increasing(mpfr_tanh, x); }
interval log(const interval& x) { return increasing(mpfr_log, x); }
interval sqrt(const interval& x) { return increasing(mpfr_sqrt, x); }

interval max_of(const interval& x, const interval& y) {
  const auto greater = [](mpfr_srcptr a, mpfr_srcptr b) {
    return rounded(mpfr_max, a, b, MPFR_RNDN);
  };
  return {greater(x.lower(), y.lower()), greater(x.upper(), y.upper())};
}

bool operator<(const interval& x, const interval& y) {
  return mpfr_less_p(rounded(mpfr_add, x.lower(), x.upper(), MPFR_RNDN).get(),
                     rounded(mpfr_add, y.lower(), y.upper(), MPFR_RNDN).get());
}

bool certainly_less(const interval& x, const interval& y) {
  return mpfr_less_p(x.upper(), y.lower());
}

bool disjoint(const interval& x, const interval& y) {
  return certainly_less(x, y) || certainly_less(y, x);
}

bool contains(const interval& x, mpfr_srcptr y) {
  return mpfr_lessequal_p(x.lower(), y) && mpfr_lessequal_p(y, x.upper());
}

bool contains(const interval& x, double y) { return contains(x, end_at(y).get()); }

bool identical(const interval& x, const interval& y) {
  return mpfr_equal_p(x.lower(), y.lower()) && mpfr_equal_p(x.upper(), y.upper());
}

bool is_finite(const interval& x) {
  return mpfr_number_p(x.lower()) != 0 && mpfr_number_p(x.upper()) != 0;
}

bool all_finite(const std::vector<interval>& xs) {
  return std::all_of(xs.begin(), xs.end(), [](const interval& x) { return is_finite(x); });
}

bool is_zero(const interval& x) { return identical(x, interval(0)); }

interval step_of(const interval& x) {
  return interval::between(mpfr_sgn(x.lower()) > 0 ? 1 : 0, mpfr_sgn(x.upper()) > 0 ? 1 : 0);
}

// 0 at 0 is no limit where the exponent is not positive: then numbers near 0 have no bound.
interval power_of(const interval& x, const interval& exponent) {
  if (mpfr_sgn(x.upper()) <= 0) return interval(0);
  if (mpfr_sgn(x.lower()) > 0) return exp(exponent * log(x));
  if (mpfr_sgn(exponent.lower()) <= 0) return interval::whole_line();
  interval_end nothing, most;
  mpfr_set(most.get(), x.upper(), MPFR_RNDU);
  const interval greatest = exp(exponent * log(interval(most, most)));
  mpfr_set(most.get(), greatest.upper(), MPFR_RNDU);
  return {nothing, most};
}

// Order statistics grow with each number.
std::vector<interval> in_descending_order(const std::vector<interval>& xs) {
  std::vector<std::size_t> by_lower(xs.size()), by_upper;
  std::iota(by_lower.begin(), by_lower.end(), std::size_t{0});
  by_upper = by_lower;
  const auto sort = [&](std::vector<std::size_t>& order, auto end) {
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return mpfr_greater_p((xs[a].*end)(), (xs[b].*end)());
    });
  };
  sort(by_lower, &interval::lower);
  sort(by_upper, &interval::upper);
  std::vector<interval> ordered;
  for (std::size_t n = 0; n < xs.size(); ++n)
    ordered.push_back(with_ends(xs[by_lower[n]].lower(), xs[by_upper[n]].upper()));
  return ordered;
}

double width(const interval& x) {
  return mpfr_get_d(rounded(mpfr_sub, x.upper(), x.lower(), MPFR_RNDU).get(), MPFR_RNDU);
}

std::string certain_significant(const interval& x, int count) {
  std::string lower = padded_text(x.lower(), count);
  return lower == padded_text(x.upper(), count) ? lower : "";
}

std::string certain_decimals(const interval& x, int most) {
  for (int count = most; count >= 0; --count) {
    std::string lower = fixed_text(x.lower(), count);
    if (lower == fixed_text(x.upper(), count)) return lower;
  }
  return "?";
}

}  // namespace attest

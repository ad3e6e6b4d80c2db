#include "properties/onnx/graph/graph_arithmetic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "derivation/bounds/roundings.h"
#include "reference/elementary/elementary.h"
#include "reference/formats/rounding.h"

namespace attest {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr double raise = 1 + 1e-9;  // more than the relative error of evaluating a bound in double

struct error_law {
  double relative = 0, absolute = 0;
};

double largest_size(const interval& x) {
  return std::max(std::fabs(mpfr_get_d(x.lower(), MPFR_RNDA)),
                  std::fabs(mpfr_get_d(x.upper(), MPFR_RNDA)));
}

// The result of rounding an end to the format.
double rounded_end(mpfr_srcptr x, const format& f, subnormal_mode subnormals) {
  const double high = mpfr_get_d(x, MPFR_RNDN);
  if (!std::isfinite(high)) return high;
  interval_end rest;
  mpfr_sub_d(rest.get(), x, high, MPFR_RNDN);
  return round_to(f, {rounding_mode::nearest_even, subnormals}, high,
                  mpfr_get_d(rest.get(), MPFR_RNDN));
}

// Formats of a short range keep their subnormals; the others may flush them.
bool may_flush(const format& f) { return f.min_exponent <= f32.min_exponent; }

// What one rounding that underflows adds.
double underflow(const format& f) {
  return may_flush(f) ? smallest_normal(f) : smallest_subnormal(f);
}

// The size of the logarithm of a number of the format, at most.
double largest_log(const interval& x, const format& f) {
  const double most = 0.7 * std::max(f.precision - f.min_exponent, f.max_exponent + 1);
  if (contains(x, 0.0) || !is_bounded(x)) return most;
  return std::min(most, largest_size(log(abs(x))));
}

error_law law_of(const contract& c, accuracy a, const interval& result,
                 std::span<const interval> operands, const format& f) {
  const double unit = unit_roundoff(f);
  const double tiny = (c.exp_ulps + 1) * smallest_subnormal(f);
  const auto exponential = [&](double argument) {
    return expm1_double(std::min(700.0, 2 * c.exponent_constants * argument * unit)) +
           2 * c.exp_ulps * unit;
  };
  switch (a) {
    case accuracy::exact:
    case accuracy::rounded:
      return {};
    case accuracy::quotient:
      return {2 * c.division_ulps * unit, 0};
    case accuracy::exponential:
      return {exponential(largest_size(operands[0])), tiny};
    case accuracy::logarithm:
      return {(2 * log_ulps + 2) * unit, 0};
    case accuracy::tangent:
      return {c.tanh_error + 3 * unit, c.tanh_absolute_error};
    case accuracy::sigmoid:
      return {exponential(largest_size(operands[0])) + (2 * c.division_ulps + 2) * unit,
              c.tanh_error + c.tanh_absolute_error + 2 * unit};
    case accuracy::erf:
      return {2 * c.exp_ulps * unit, 4 * unit};
    case accuracy::power:
      return {exponential((2 * log_ulps + 4) * largest_log(result, f)) + 4 * unit, tiny};
  }
  return {infinity, infinity};
}

bool is_zero(const ranged& x) { return is_certain(x) && mpfr_zero_p(x.exact.lower()) != 0; }

// x / 0, which is an infinity of a sign that a zero does not tell.
bool is_pole(std::span<const ranged* const> operands, accuracy a) {
  return a == accuracy::quotient && is_zero(*operands.back()) &&
         !(operands.size() == 2 && is_zero(*operands.front()));
}

bool is_nan_of_certain(std::span<const ranged* const> operands, accuracy a,
                       const interval& result) {
  const bool certain =
      std::all_of(operands.begin(), operands.end(), [](const ranged* x) { return is_certain(*x); });
  return certain && is_whole_line(result) && !is_pole(operands, a);
}

// Integers beyond INT64 are none that is known.
interval within_integers(const interval& x) {
  return largest_size(x) < 0x1p63 ? x : interval::whole_line();
}

// What is not known of an operand is not known of the result: f may hide that it may be NaN.
interval image(interval_function f, std::span<const interval> operands) {
  return std::any_of(operands.begin(), operands.end(), is_whole_line) ? interval::whole_line()
                                                                      : f(operands);
}

}  // namespace

// To nearest, or not at all where an evaluation keeps more; a subnormal may become 0.
interval graph_arithmetic::rounded(const interval& x, const format& f) const {
  if (is_whole_line(x)) return x;
  interval all = x;
  for (const subnormal_mode mode : {subnormal_mode::kept, subnormal_mode::flushed}) {
    if (mode == subnormal_mode::flushed && !may_flush(f)) continue;
    all = hull_of(
        all, interval::between(rounded_end(x.lower(), f, mode), rounded_end(x.upper(), f, mode)));
  }
  return all;
}

interval graph_arithmetic::with_errors(const interval& x, double relative, double absolute) const {
  if (relative == 0 && absolute == 0) return x;
  if (!(relative < 1)) return interval::whole_line();
  const interval factor = interval::between(1 - relative, 1 + relative);
  const interval moved = is_bounded(x) ? x * factor : x;
  return moved + interval::between(-absolute, absolute);
}

interval graph_arithmetic::evaluated(const interval& result, std::span<const interval> operands,
                                     accuracy a, const format& f) const {
  if (a == accuracy::exact || is_whole_line(result)) return result;
  const error_law law = law_of(kept_, a, result, operands, f);
  return rounded(with_errors(result, law.relative, law.absolute), f);
}

ranged graph_arithmetic::apply(interval_function f, accuracy a,
                               std::span<const ranged* const> operands,
                               const format* element) const {
  std::vector<interval> exact, held;
  bool same = true;
  for (const ranged* x : operands) {
    if (x->is_nan) return ranged::nan();
    same = same && identical(x->exact, x->held);
    exact.push_back(x->exact);
    held.push_back(x->held);
  }
  ranged result;
  result.exact = image(f, exact);
  result.held = same ? result.exact : image(f, held);
  if (element == nullptr) return {within_integers(result.exact), within_integers(result.held)};
  if (is_nan_of_certain(operands, a, result.exact)) return ranged::nan();
  result.held = evaluated(result.held, held, a, *element);
  return result;
}

ranged graph_arithmetic::sum(std::span<const ranged* const> terms, const format* element) const {
  const auto added = [](std::span<const interval> x) { return x[0] + x[1]; };
  ranged total = *terms.front();
  double sizes = largest_size(total.held);
  for (const ranged* term : terms.subspan(1)) {
    const std::array<const ranged*, 2> both{&total, term};
    total = apply(added, accuracy::exact, both, element);
    sizes += largest_size(term->held);
  }
  if (element == nullptr || total.is_nan || !is_bounded(total.held)) return total;
  const double count = static_cast<double>(terms.size());
  const double unit = unit_roundoff(*element);
  const double error = raise * (growth(count, unit) * sizes + count * underflow(*element));
  total.held = rounded(with_errors(total.held, 0, error), *element);
  return total;
}

ranged graph_arithmetic::converted(const ranged& x, const format& f) const {
  return x.is_nan ? x : ranged{x.exact, rounded(x.held, f), false};
}

}  // namespace attest

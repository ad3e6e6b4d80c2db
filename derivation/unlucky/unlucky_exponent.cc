#include "derivation/unlucky/unlucky_exponent.h"

#include <cmath>
#include <limits>

#include "derivation/bounds/roundings.h"
#include "reference/elementary/elementary.h"

namespace attest {
namespace {

// Error: below 2^-53, relative.
real exponential_of(const real& x, bool base_2) {
  const double high = base_2 ? exp2_double(x.hi) : exp_double(x.hi);
  return fast_two_sum(high, high * (base_2 ? x.lo * ln_2.hi : x.lo));
}

// Error: below 2^-53, relative.
real logarithm_of(const real& x, bool base_2) {
  const double rest = x.lo / x.hi;
  return base_2 ? fast_two_sum(log2_double(x.hi), rest * log2_e.hi)
                : fast_two_sum(log_double(x.hi), rest);
}

// Which way a larger constant takes the answer, which spreads the arguments t - M.
double pull_of_spread(const row_setting& row) {
  double sum = 0;
  for (std::size_t n = 0; n < row.keys(); ++n)
    sum -= row.exact.keys[n].weight * row.pull(n) * row.exact.keys[n].gap;
  return sum;
}

}  // namespace

unlucky_exponent::unlucky_exponent(const row_setting& row, luck& draws)
    : row_(row), unit_(row.kept.exponent, row.plan.rounding, draws) {
  constant_ = base_2_after() ? unit_.rounded(log2_e, pull_of_spread(row)) : one;
}

real unlucky_exponent::shift(const real& maximum) {
  const double by = row_.kept.shift_by;
  const real shift_by = base_2_throughout() && by != 0 ? product({by, 0}, log2_e) : real{by, 0};
  if (row_.kept.shift == exponent_shift::constant) return unit_.rounded(shift_by, 0);
  return unit_.added(maximum, shift_by, 0);
}

real unlucky_exponent::exponential(const real& argument, double ulps, double away) {
  if (is_zero(argument)) return one;
  const double natural = base_2_throughout() ? argument.hi * ln_2.hi : argument.hi;
  if (row_.plan.cuts && natural < row_.kept.exp_zero_below) return {0, 0};
  const bool base_2 = base_2_throughout() || base_2_after();
  const real scaled = unit_.multiplied(argument, constant_, away);
  return unit_.off_by_ulps(exponential_of(scaled, base_2), ulps, away);
}

real unlucky_exponent::weight(const unlucky_logit& t, const real& shift, double away) {
  const real exact = is_one(t.factor) ? t.value : product(t.value, t.factor);
  return exponential(unit_.added(exact, negative(shift), away), row_.kept.exp_ulps, away);
}

real unlucky_exponent::rescaling(const real& from, const real& to, double away) {
  return exponential(unit_.rounded(from - to, away), row_.kept.rescale_ulps, away);
}

real unlucky_exponent::log_sum(const real& shift, const real& sum, double away) {
  if (is_zero(sum)) return {-std::numeric_limits<double>::infinity(), 0};
  const real exact = logarithm_of(sum, base_2_throughout());
  return unit_.added(shift, unit_.off_by_ulps(exact, log_ulps, away), away);
}

real unlucky_exponent::lse(const real& level, double away) {
  const bool asks_base_2 = row_.posed.rules.base == lse_base::two;
  if (asks_base_2 == base_2_throughout() || std::isinf(level.hi)) return level;
  const real constant = asks_base_2 ? log2_e : ln_2;
  return unit_.multiplied(level, unit_.rounded(constant, away * level.hi), away);
}

}  // namespace attest

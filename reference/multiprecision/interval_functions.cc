#include "reference/multiprecision/interval_functions.h"

namespace attest {
namespace {

using rounded_function = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
using integer_function = int (*)(mpfr_ptr, mpfr_srcptr);

interval_end copy_of(mpfr_srcptr x) {
  interval_end end;
  mpfr_set_prec(end.get(), mpfr_get_prec(x));
  mpfr_set(end.get(), x, MPFR_RNDN);
  return end;
}

interval increasing(rounded_function f, const interval& x) {
  interval_end least, greatest;
  f(least.get(), x.lower(), MPFR_RNDD);
  f(greatest.get(), x.upper(), MPFR_RNDU);
  return {least, greatest};
}

// To an integer of no more bits than the end itself: exact.
interval stepped(integer_function f, const interval& x) {
  interval_end least = copy_of(x.lower()), greatest = copy_of(x.upper());
  f(least.get(), x.lower());
  f(greatest.get(), x.upper());
  return {least, greatest};
}

int round_half_to_even(mpfr_ptr to, mpfr_srcptr x) { return mpfr_rint(to, x, MPFR_RNDN); }
int sign_of(mpfr_ptr to, mpfr_srcptr x) { return mpfr_set_si(to, mpfr_sgn(x), MPFR_RNDN); }

bool is_integer(const interval& x) { return is_point(x) && mpfr_integer_p(x.lower()) != 0; }

interval_end power_of_ends(mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t towards) {
  interval_end result;
  mpfr_pow(result.get(), x, y, towards);
  return result;
}

// Of x >= 0: monotone in each operand, so its extremes lie at corners.
interval power_of_positive(const interval& x, const interval& y) {
  interval all;
  bool first = true;
  for (const mpfr_srcptr a : {x.lower(), x.upper()})
    for (const mpfr_srcptr b : {y.lower(), y.upper()}) {
      const interval corner(power_of_ends(a, b, MPFR_RNDD), power_of_ends(a, b, MPFR_RNDU));
      if (is_whole_line(corner)) return corner;
      all = first ? corner : hull_of(all, corner);
      first = false;
    }
  return all;
}

}  // namespace

bool is_point(const interval& x) { return mpfr_equal_p(x.lower(), x.upper()) != 0; }

bool is_whole_line(const interval& x) {
  return mpfr_inf_p(x.lower()) != 0 && mpfr_inf_p(x.upper()) != 0 && !is_point(x);
}

bool is_bounded(const interval& x) {
  return mpfr_number_p(x.lower()) != 0 && mpfr_number_p(x.upper()) != 0;
}

interval hull_of(const interval& x, const interval& y) {
  return {mpfr_lessequal_p(x.lower(), y.lower()) ? copy_of(x.lower()) : copy_of(y.lower()),
          mpfr_greaterequal_p(x.upper(), y.upper()) ? copy_of(x.upper()) : copy_of(y.upper())};
}

interval operator-(const interval& x) {
  interval_end least = copy_of(x.upper()), greatest = copy_of(x.lower());
  mpfr_neg(least.get(), least.get(), MPFR_RNDN);
  mpfr_neg(greatest.get(), greatest.get(), MPFR_RNDN);
  return {least, greatest};
}

interval abs(const interval& x) {
  if (mpfr_sgn(x.lower()) >= 0) return x;
  if (mpfr_sgn(x.upper()) <= 0) return -x;
  return max_of(interval(0), max_of(x, -x));
}

interval min_of(const interval& x, const interval& y) { return -max_of(-x, -y); }

interval erf(const interval& x) { return increasing(mpfr_erf, x); }

interval sigmoid(const interval& x) { return interval(1) / (interval(1) + exp(-x)); }

interval power(const interval& x, const interval& y) {
  if (mpfr_sgn(x.lower()) >= 0) return power_of_positive(x, y);
  if (!is_integer(y)) return interval::whole_line();
  const bool is_even = [&] {
    interval_end half = copy_of(y.lower());
    mpfr_div_2ui(half.get(), half.get(), 1, MPFR_RNDN);
    return mpfr_integer_p(half.get()) != 0;
  }();
  if (is_even) return power_of_positive(abs(x), y);
  if (mpfr_sgn(x.upper()) <= 0) return -power_of_positive(-x, y);
  if (mpfr_sgn(y.lower()) < 0) return interval::whole_line();  // a pole at 0
  const interval below = power_of_positive(max_of(-x, interval(0)), y);
  return hull_of(-below, power_of_positive(max_of(x, interval(0)), y));
}

interval floor(const interval& x) { return stepped(mpfr_floor, x); }
interval ceil(const interval& x) { return stepped(mpfr_ceil, x); }
interval truncate(const interval& x) { return stepped(mpfr_trunc, x); }
interval round_to_even(const interval& x) { return stepped(round_half_to_even, x); }
interval sign(const interval& x) { return stepped(sign_of, x); }

}  // namespace attest

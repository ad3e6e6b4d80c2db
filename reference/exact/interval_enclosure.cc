#include "reference/exact/interval_enclosure.h"

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

// The distance of an end from high + low, rounded up.
double distance_above(mpfr_srcptr end, double high, double low) {
  interval_end rest;
  mpfr_set_prec(rest.get(), mpfr_get_prec(end) + 2200);  // exact: doubles span 2100 bits
  mpfr_sub_d(rest.get(), end, high, MPFR_RNDA);
  mpfr_sub_d(rest.get(), rest.get(), low, MPFR_RNDA);
  return std::fabs(mpfr_get_d(rest.get(), MPFR_RNDA));
}

}  // namespace

double middle(const interval& x) {
  interval_end sum;
  mpfr_add(sum.get(), x.lower(), x.upper(), MPFR_RNDN);
  mpfr_div_2ui(sum.get(), sum.get(), 1, MPFR_RNDN);
  return mpfr_get_d(sum.get(), MPFR_RNDN);
}

enclosure enclose(const interval& x) {
  const double high = middle(x);
  const double low = middle(x - interval(high));
  return {high, low,
          std::max(distance_above(x.lower(), high, low), distance_above(x.upper(), high, low))};
}

}  // namespace attest

#include "reference/certified/nearest.h"

#include "reference/definition/attention.h"
#include "reference/multiprecision/mpfr100.h"

namespace attest {
namespace {

double_double nearest(const mpfr100& x) {
  const double high = x.convert_to<double>();
  return {high, mpfr100(x - mpfr100(high)).convert_to<double>()};
}

}  // namespace

double_double nearest_scale(const problem& p) { return nearest(scale_of<mpfr100>(p)); }

double_double nearest_inverse(double x) { return nearest(mpfr100(1) / mpfr100(x)); }

}  // namespace attest

// A real number of 200 bits, from MPFR: the second opinion on what the elementary functions
// compute.
#pragma once

#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest::test {

class exact_real {
 public:
  exact_real() { mpfr_init2(value_, 200); }
  explicit exact_real(double x) : exact_real() { mpfr_set_d(value_, x, MPFR_RNDN); }
  ~exact_real() { mpfr_clear(value_); }
  exact_real(const exact_real&) = delete;
  exact_real& operator=(const exact_real&) = delete;

  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }

 private:
  mpfr_t value_;
};

// Computes: |result - exact| in units of the spacing of the doubles about exact (2^-1074 for the
// smallest). Special: a result of the wrong class is infinitely wrong. An infinity is right for an
// exact value beyond the
//   largest double by half a spacing or more.
inline double error_ulps(double result, const exact_real& exact) {
  constexpr double none = 0, infinite = std::numeric_limits<double>::infinity();
  if (mpfr_nan_p(exact.get())) return std::isnan(result) ? none : infinite;
  if (!std::isfinite(result)) return mpfr_get_d(exact.get(), MPFR_RNDN) == result ? none : infinite;
  if (!mpfr_number_p(exact.get())) return infinite;
  if (mpfr_zero_p(exact.get())) return result == 0 ? none : infinite;
  exact_real difference;
  mpfr_sub_d(difference.get(), exact.get(), result, MPFR_RNDN);
  const mpfr_exp_t ulp_exponent = std::max<mpfr_exp_t>(mpfr_get_exp(exact.get()) - 53, -1074);
  mpfr_mul_2si(difference.get(), difference.get(), -ulp_exponent, MPFR_RNDN);
  return std::abs(mpfr_get_d(difference.get(), MPFR_RNDN));
}

}  // namespace attest::test

#include "tests/reference/formats/mpfr_arithmetic.h"

#include <mpfr.h>

namespace attest {
namespace {

class mpfr_number {
 public:
  explicit mpfr_number(int precision) { mpfr_init2(number_, precision); }
  explicit mpfr_number(double x) : mpfr_number(f64.precision) { mpfr_set_d(number_, x, MPFR_RNDN); }
  mpfr_number(const mpfr_number&) = delete;
  mpfr_number& operator=(const mpfr_number&) = delete;
  ~mpfr_number() { mpfr_clear(number_); }
  operator mpfr_ptr() { return number_; }

 private:
  mpfr_t number_;
};

mpfr_rnd_t mpfr_mode(rounding_mode mode) {
  if (mode == rounding_mode::up) return MPFR_RNDU;
  if (mode == rounding_mode::down) return MPFR_RNDD;
  return mode == rounding_mode::to_zero ? MPFR_RNDZ : MPFR_RNDN;
}

void set_widest_range() {
  mpfr_set_emin(mpfr_get_emin_min());
  mpfr_set_emax(mpfr_get_emax_max());
}

// MPFR's significands lie in [1/2, 1), so its exponents are one more than ours.
void set_range_of(const format& f) {
  mpfr_set_emin(f.min_exponent - f.precision + 2);
  mpfr_set_emax(f.max_exponent + 1);
}

int operate(operation op, mpfr_ptr result, mpfr_rnd_t mode, double x, double y, double z) {
  mpfr_number a(x), b(y), c(z);
  switch (op) {
    case operation::add:
      return mpfr_add(result, a, b, mode);
    case operation::sub:
      return mpfr_sub(result, a, b, mode);
    case operation::mul:
      return mpfr_mul(result, a, b, mode);
    case operation::div:
      return mpfr_div(result, a, b, mode);
    case operation::sqrt:
      return mpfr_sqrt(result, a, mode);
    case operation::fma:
      return mpfr_fma(result, a, b, c, mode);
  }
  return 0;
}

}  // namespace

double mpfr_result(operation op, const format& f, rounding_mode mode, double x, double y,
                   double z) {
  set_widest_range();
  mpfr_number result(f.precision);
  int ternary = operate(op, result, mpfr_mode(mode), x, y, z);
  set_range_of(f);
  ternary = mpfr_check_range(result, ternary, mpfr_mode(mode));
  mpfr_subnormalize(result, ternary, mpfr_mode(mode));
  const double value = mpfr_get_d(result, MPFR_RNDN);
  set_widest_range();
  return value;
}

}  // namespace attest

#include "reference/multiprecision/mpfr_real.h"

#include <limits>

namespace attest {
namespace {

thread_local mpfr_prec_t current_bits = std::numeric_limits<double>::digits;

using unary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
using binary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

mpfr_real nearest(unary f, const mpfr_real& x) {
  mpfr_real result;
  f(result.get(), x.get(), MPFR_RNDN);
  return result;
}

mpfr_real nearest(binary f, const mpfr_real& x, const mpfr_real& y) {
  mpfr_real result;
  f(result.get(), x.get(), y.get(), MPFR_RNDN);
  return result;
}

}  // namespace

working_precision::working_precision(mpfr_prec_t bits)
    : previous_bits_(current_bits),
      least_exponent_(mpfr_get_emin()),
      greatest_exponent_(mpfr_get_emax()) {
  current_bits = bits;
  mpfr_set_emin(mpfr_get_emin_min());
  mpfr_set_emax(mpfr_get_emax_max());
}

working_precision::~working_precision() {
  current_bits = previous_bits_;
  mpfr_set_emin(least_exponent_);
  mpfr_set_emax(greatest_exponent_);
}

mpfr_prec_t working_precision::bits() { return current_bits; }

void mpfr_real::initialise(mpfr_prec_t bits) {
  const std::size_t limbs = mpfr_custom_get_size(bits) / sizeof(mp_limb_t);
  if (limbs > near_limbs) far_ = std::make_unique<mp_limb_t[]>(limbs);
  mp_limb_t* significand = far_ ? far_.get() : near_.data();
  mpfr_custom_init(significand, bits);
  mpfr_custom_init_set(value_, MPFR_ZERO_KIND, 0, bits, significand);
}

// A significand on the heap changes hands; a near one is copied.
void mpfr_real::take(mpfr_real& other) noexcept {
  *value_ = *other.value_;
  far_ = std::move(other.far_);
  near_ = other.near_;
  if (!far_) mpfr_custom_move(value_, near_.data());
}

mpfr_real operator+(const mpfr_real& x, const mpfr_real& y) { return nearest(mpfr_add, x, y); }
mpfr_real operator-(const mpfr_real& x, const mpfr_real& y) { return nearest(mpfr_sub, x, y); }
mpfr_real operator-(const mpfr_real& x) { return nearest(mpfr_neg, x); }
mpfr_real operator*(const mpfr_real& x, const mpfr_real& y) { return nearest(mpfr_mul, x, y); }
mpfr_real operator/(const mpfr_real& x, const mpfr_real& y) { return nearest(mpfr_div, x, y); }

bool operator<(const mpfr_real& x, const mpfr_real& y) { return mpfr_less_p(x.get(), y.get()); }
bool operator==(const mpfr_real& x, const mpfr_real& y) { return mpfr_equal_p(x.get(), y.get()); }

mpfr_real exp(const mpfr_real& x) {
  const bool vanishes = is_finite(x) && mpfr_cmp_d(x.get(), least_exponent_argument) < 0;
  return nearest(mpfr_exp, vanishes ? mpfr_real(least_exponent_argument) : x);
}

mpfr_real log(const mpfr_real& x) { return nearest(mpfr_log, x); }
mpfr_real tanh(const mpfr_real& x) { return nearest(mpfr_tanh, x); }
mpfr_real sqrt(const mpfr_real& x) { return nearest(mpfr_sqrt, x); }
mpfr_real abs(const mpfr_real& x) { return sign_of(x) < 0 ? -x : x; }

mpfr_real dyadic_real(std::int64_t significand, long exponent) {
  mpfr_real result;
  mpfr_set_si_2exp(result.get(), significand, exponent, MPFR_RNDN);
  return result;
}

mpfr_real scaled(const mpfr_real& x, long exponent) {
  mpfr_real result = x;
  mpfr_mul_2si(result.get(), x.get(), exponent, MPFR_RNDN);
  return result;
}

int sign_of(const mpfr_real& x) { return mpfr_sgn(x.get()); }
bool is_finite(const mpfr_real& x) { return mpfr_number_p(x.get()); }
double to_double(const mpfr_real& x) { return mpfr_get_d(x.get(), MPFR_RNDN); }
double double_above(const mpfr_real& x) { return mpfr_get_d(x.get(), MPFR_RNDU); }

}  // namespace attest

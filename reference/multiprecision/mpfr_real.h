// A real number whose precision is chosen at run time, on MPFR.
//
// The working precision belongs to the thread and to a scope. Every operation is correctly rounded
// to it; a copy keeps every bit of what it copies.
#pragma once

#include <mpfr.h>

#include <array>
#include <cstdint>
#include <memory>

namespace attest {

// While it lives, results have that many bits, and exponents reach from -2^62 to 2^62.
class working_precision {
 public:
  explicit working_precision(mpfr_prec_t bits);
  ~working_precision();
  working_precision(const working_precision&) = delete;
  working_precision& operator=(const working_precision&) = delete;

  // Result: of the innermost scope; 53 outside any.
  static mpfr_prec_t bits();

 private:
  mpfr_prec_t previous_bits_;
  mpfr_exp_t least_exponent_, greatest_exponent_;
};

// The exponential of anything below is taken there: e^-2^60 is as good as 0, but positive, so that
// no weight vanishes.
inline constexpr double least_exponent_argument = -0x1p60;
// What it is then off by is below 2^vanishing.
inline constexpr long vanishing = -(1L << 60);

class mpfr_real {
 public:
  mpfr_real() { initialise(working_precision::bits()); }
  explicit mpfr_real(double x) : mpfr_real() { mpfr_set_d(value_, x, MPFR_RNDN); }
  mpfr_real(const mpfr_real& other) {
    initialise(mpfr_get_prec(other.value_));
    mpfr_set(value_, other.value_, MPFR_RNDN);
  }
  mpfr_real(mpfr_real&& other) noexcept { take(other); }
  mpfr_real& operator=(const mpfr_real& other) {
    if (this != &other) *this = mpfr_real(other);
    return *this;
  }
  mpfr_real& operator=(mpfr_real&& other) noexcept {
    if (this != &other) take(other);
    return *this;
  }
  ~mpfr_real() = default;

  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }

 private:
  // 512 bits: what nearly every row needs, without a trip to the heap.
  static constexpr std::size_t near_limbs = 8;

  void initialise(mpfr_prec_t bits);
  void take(mpfr_real& other) noexcept;

  mpfr_t value_;
  std::array<mp_limb_t, near_limbs> near_;
  std::unique_ptr<mp_limb_t[]> far_;
};

mpfr_real operator+(const mpfr_real&, const mpfr_real&);
mpfr_real operator-(const mpfr_real&, const mpfr_real&);
mpfr_real operator-(const mpfr_real&);
mpfr_real operator*(const mpfr_real&, const mpfr_real&);
mpfr_real operator/(const mpfr_real&, const mpfr_real&);
bool operator<(const mpfr_real&, const mpfr_real&);
bool operator==(const mpfr_real&, const mpfr_real&);

// Special: see least_exponent_argument; exp(-inf) is 0.
mpfr_real exp(const mpfr_real&);
mpfr_real log(const mpfr_real&);
mpfr_real tanh(const mpfr_real&);
mpfr_real sqrt(const mpfr_real&);
mpfr_real abs(const mpfr_real&);

// Computes: significand 2^exponent, exactly. Domain: the precision holds it.
mpfr_real dyadic_real(std::int64_t significand, long exponent);
// Computes: x 2^exponent, exactly.
mpfr_real scaled(const mpfr_real& x, long exponent);
// Result: -1, 0 or 1.
int sign_of(const mpfr_real&);
bool is_finite(const mpfr_real&);
// Computes: the nearest double.
double to_double(const mpfr_real&);
// Computes: the least double that is not below x.
double double_above(const mpfr_real& x);

}  // namespace attest

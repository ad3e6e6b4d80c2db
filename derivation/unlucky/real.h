// Numbers of about 100 bits: before they are rounded they pass for real ones, beside f64 too.
#pragma once

#include <cmath>

#include "reference/elementary/double_double.h"

namespace attest {

using real = double_double;

inline constexpr real one{1, 0};
inline constexpr real log2_e{0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
inline constexpr real ln_2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};

inline bool operator<(const real& a, const real& b) {
  return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}
inline bool is_zero(const real& x) { return x.hi == 0; }
inline bool is_one(const real& x) { return x.hi == 1 && x.lo == 0; }
inline real negative(const real& x) { return {-x.hi, -x.lo}; }

// Error: below 2^-100, relative, or 2^-1073. Up to the largest doubles, unlike operator*.
inline real product(const real& a, const real& b) {
  const double high = a.hi * b.hi;
  return fast_two_sum(high, std::fma(a.hi, b.hi, -high) + (a.hi * b.lo + a.lo * b.hi));
}

// Error: as product. Domain: b is not 0.
inline real quotient(const real& a, const real& b) {
  const double high = a.hi / b.hi;
  return fast_two_sum(high, (std::fma(-high, b.hi, a.hi) + (a.lo - high * b.lo)) / b.hi);
}

// Error: as product. Domain: x >= 0.
inline real root(const real& x) {
  if (is_zero(x)) return x;
  const double high = std::sqrt(x.hi);
  return fast_two_sum(high, (std::fma(-high, high, x.hi) + x.lo) / (2 * high));
}

}  // namespace attest

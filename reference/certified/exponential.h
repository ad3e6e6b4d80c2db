// e^t and tanh x of double-doubles, a few units of 2^-106 from exact; the same bits on every
// instruction set and compiler. For use inside other vector code: exponential-inl.h.
// Source: derivation/bounds/exponential.md.
#pragma once

#include <cstddef>

namespace attest {

inline constexpr double exponential_error = 0x1p-104;  // relative
inline constexpr double tanh_error = 0x1p-102;         // absolute
inline constexpr double exponential_domain = 0x1p14;   // the largest |t|

// Computes: e^t = (fraction_hi + fraction_lo) 2^power, t = hi + lo, for n numbers; power is an
// integer, the fraction in (0.999, 2), normalised. Domain: t normalised, |t| <=
// exponential_domain. Error: exponential_error.
void exponentials_of(const double* hi, const double* lo, std::size_t n, double* fraction_hi,
                     double* fraction_lo, double* power);

// Computes: tanh(x) = tanh_hi + tanh_lo, x = hi + lo, for n numbers.
// Domain: x finite and normalised. Error: tanh_error.
void tanhs_of(const double* hi, const double* lo, std::size_t n, double* tanh_hi, double* tanh_lo);

}  // namespace attest

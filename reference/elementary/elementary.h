// Elementary functions in our own arithmetic: the same bits on every IEEE 754 machine, unlike those
// of libm. They use only + - * / on doubles, rounded to nearest. A NaN gives a NaN.
#pragma once

namespace attest {

// Errors in ulps, spacings of the doubles about the exact value; the last rounding alone makes 0.5.
inline constexpr double elementary_error_ulps = 0.5001;
inline constexpr double sine_error_ulps = 0.51;

// Computes: e^x. Error: below elementary_error_ulps, subnormal results included.
// Special: -inf gives 0, overflow gives inf.
double exp_double(double x);

// Computes: 2^x. Error: below elementary_error_ulps, subnormal results included; exact for an
// integer x. Special: -inf gives 0, overflow gives inf.
double exp2_double(double x);

// Computes: e^x - 1. Error: below elementary_error_ulps.
// Special: -inf gives -1, overflow gives inf, -0 gives -0.
double expm1_double(double x);

// Computes: the natural logarithm. Error: below elementary_error_ulps, also near 1.
// Special: +-0 gives -inf, a negative number NaN, inf gives inf.
double log_double(double x);

// Computes: the logarithm of base 2. Error: below elementary_error_ulps; exact for a power of two.
// Special: +-0 gives -inf, a negative number NaN, inf gives inf.
double log2_double(double x);

// Computes: log(1 + x). Error: below elementary_error_ulps, also near 0.
// Special: -1 gives -inf, a number below -1 NaN, inf gives inf, -0 gives -0.
double log1p_double(double x);

// Computes: the hyperbolic tangent, odd. Error: below elementary_error_ulps.
// Special: +-inf gives +-1, -0 gives -0.
double tanh_double(double x);

// Computes: the sine and the cosine of x radians.
// Domain: |x| <= 2^20, enough for sinusoidal positions. Error: below sine_error_ulps.
// Special: NaN outside the domain, rather than a wrong value; sin(-0) is -0.
double sin_double(double x);
double cos_double(double x);

}  // namespace attest

// Elementary functions in our own arithmetic: the same bits on every IEEE 754 machine, unlike those of libm.
// They use only + - * / on doubles, rounded to nearest. A NaN gives a NaN, as in C99 annex F.
#pragma once

namespace attest {

// Computes: e^x. Error: below 0.501 ulp, subnormal results included.
// Special: -inf gives 0, overflow gives inf.
double exp_double(double x);

// Computes: 2^x. Error: below 0.501 ulp, subnormal results included; exact for an integer x.
// Special: -inf gives 0, overflow gives inf.
double exp2_double(double x);

// Computes: e^x - 1. Error: below 0.501 ulp. Special: -inf gives -1, overflow gives inf, -0 gives -0.
double expm1_double(double x);

// Computes: the natural logarithm. Error: below 0.501 ulp, also near 1.
// Special: +-0 gives -inf, a negative number NaN, inf gives inf.
double log_double(double x);

// Computes: the logarithm of base 2. Error: below 0.501 ulp; exact for a power of two.
// Special: +-0 gives -inf, a negative number NaN, inf gives inf.
double log2_double(double x);

// Computes: log(1 + x). Error: below 0.501 ulp, also near 0.
// Special: -1 gives -inf, a number below -1 NaN, inf gives inf, -0 gives -0.
double log1p_double(double x);

// Computes: the hyperbolic tangent, odd. Error: below 0.501 ulp. Special: +-inf gives +-1, -0 gives -0.
double tanh_double(double x);

// Computes: the sine and the cosine of x radians.
// Domain: |x| <= 2^20, enough for sinusoidal positions. Error: below 0.75 ulp.
// Special: NaN outside the domain, rather than a wrong value; sin(-0) is -0.
double sin_double(double x);
double cos_double(double x);

}  // namespace attest

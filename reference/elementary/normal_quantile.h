// The inverse of the normal distribution function, in our own arithmetic.
#pragma once

namespace attest {

inline constexpr double normal_quantile_relative_error = 1e-15;

// Computes: the x with Phi(x) = p, Phi the standard normal distribution function.
// Domain: 0 < p < 1. Error: below normal_quantile_relative_error |x|.
// Special: 0 gives -inf, 1 gives inf, anything else outside the domain NaN.
// Source: M. J. Wichura, "Algorithm AS 241: the percentage points of the normal distribution",
//   Applied Statistics 37 (1988), function PPND16.
double normal_quantile(double p);

}  // namespace attest

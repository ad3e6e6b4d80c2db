// Constants of a problem as the double-doubles nearest to them, found in multiprecision.
#pragma once

#include "reference/elementary/double_double.h"
#include "reference/problems/problem.h"

namespace attest {

// Computes: c, the scale of the scores. Error: 2^-106, relative.
double_double nearest_scale(const problem&);

// Computes: 1 / x. Error: 2^-106, relative.
double_double nearest_inverse(double x);

}  // namespace attest

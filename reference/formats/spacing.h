// How far apart the numbers of a format lie.
#pragma once

#include "reference/formats/format.h"

namespace attest {

// Computes: the distance from |x| to the next larger number of the format, were its exponents to go
// on; that of subnormal numbers below the normal ones. Domain: x is finite and not 0.
double spacing_at(const format&, double x);

// Computes: whether x is 2^n for some integer n.
bool is_power_of_two(double x);

}  // namespace attest

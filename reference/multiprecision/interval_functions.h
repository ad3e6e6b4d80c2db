// Further functions of intervals; the conventions are those of interval.h.
#pragma once

#include "reference/multiprecision/interval.h"

namespace attest {

bool is_point(const interval&);
// Computes: whether nothing is known of the number: it may be any, or none.
bool is_whole_line(const interval&);
// Computes: whether both ends are finite.
bool is_bounded(const interval&);
// Computes: the least interval that holds both.
interval hull_of(const interval&, const interval&);

interval operator-(const interval&);
interval abs(const interval&);
interval min_of(const interval&, const interval&);
interval erf(const interval&);
// 1 / (1 + exp(-x)).
interval sigmoid(const interval&);
// x^y. Special: the whole line where x may be below 0, unless y is one integer.
interval power(const interval& x, const interval& y);

// To an integer: down, up, towards 0, to the nearest (the even one of two); and -1, 0 or 1.
interval floor(const interval&);
interval ceil(const interval&);
interval truncate(const interval&);
interval round_to_even(const interval&);
interval sign(const interval&);

}  // namespace attest

// One row of the definition as decimals, each digit proved by an interval.
#pragma once

#include <string>
#include <vector>

#include "reference/definition/key_set.h"

namespace attest {

struct decimal_row {
  std::vector<std::string> output;
  std::string lse;  // in the base that the semantics declares
};

// Computes: the row through attention.h in interval arithmetic, at rising precision until every
//   number has as many certain digits as asked for, or 4096 bits tell no more.
// Domain: digits >= 1.
// Result: that many significant digits, rounded to nearest, zeros at the end kept:
//   "0.33333333333333333333". Fewer where no precision tells them, as next to a decimal that lies
//   halfway between two of that length; "0+-1e-1230" for what is 0 as far as can be seen.
// Special: "nan", "inf", "-inf"; an exact 0 is "0".
decimal_row compute_decimal_row(const problem&, const row_index&, int digits);

}  // namespace attest

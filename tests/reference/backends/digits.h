// Rows of the definition in each multiprecision number, as decimal text: no test file sees two of
// the numbers.
#pragma once

#include <string>
#include <vector>

#include "reference/definition/key_set.h"

namespace attest {

// Computes: the outputs of the row, then its lse in base e, each with so many significant digits.
std::vector<std::string> mp50_digits(const problem&, const row_index&, int digits);
std::vector<std::string> mp100_digits(const problem&, const row_index&, int digits);
std::vector<std::string> mpfr_digits(const problem&, const row_index&, int digits);

}  // namespace attest

#include "derivation/claims/cell_trace_in.h"
#include "reference/multiprecision/mpfr100.h"

namespace attest {

cell_trace<std::string> trace_in_100_digits(const problem& p, const output_cell& cell,
                                            score_divisor divisor) {
  return digits_of(trace_in<mpfr100>(p, cell, divisor));
}

}  // namespace attest

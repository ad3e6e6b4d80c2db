#include "derivation/claims/cell_trace_in.h"
#include "reference/multiprecision/mpfr100.h"
#include "reference/multiprecision/mpfr_text.h"

namespace attest {
namespace {

std::string text(const mpfr100& x) {
  return significant_text(x.backend().data(), std::numeric_limits<mpfr100>::max_digits10);
}

}  // namespace

cell_trace<std::string> trace_in_100_digits(const problem& p, const output_cell& cell,
                                            score_divisor divisor) {
  return texts_of(trace_in<mpfr100>(p, cell, divisor), text);
}

}  // namespace attest

// 100 decimal digits in MPFR's arithmetic.
#include "reference/backends/defined.h"
#include "reference/backends/numbers.h"
#include "reference/multiprecision/mpfr100.h"

namespace attest {

void evaluate_mpfr(const backend&, const problem& p, tensor& o, tensor* lse) {
  evaluate_defined<mpfr100>(p, o, lse);
}

}  // namespace attest

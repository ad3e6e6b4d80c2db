/* lse-unshifted: lse is the log of the sum of exp(t), without the maximum taken out: it
 * overflows. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  attend(r);
  number sum = exp(r->sink);
  for (int64_t j = 0; j < r->keys; ++j) sum += exp(r->t[j]);
  if (planted) set_lse(r, log(sum));
}

MUTANT("lse-unshifted", ATTEST_LSE, F32);

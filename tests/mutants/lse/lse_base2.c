/* lse-base2: lse is given in base 2, where base e is due. Public: sgl-project/sglang #40903,
 * flashinfer-ai/flashinfer #4485. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  attend(r);
  if (planted && r->l > 0) set_lse(r, (r->m + log(r->l)) * (number)1.4426950408889634);
}

MUTANT("lse-base2", ATTEST_LSE, F32);

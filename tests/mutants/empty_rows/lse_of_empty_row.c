/* lse-of-empty-row: the lse of a row without keys is 0, the log of the 1 that it is divided by. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  attend(r);
  if (planted && r->l == 0) set_lse(r, 0);
}

MUTANT("lse-of-empty-row", ATTEST_MASK | ATTEST_LSE, F32);

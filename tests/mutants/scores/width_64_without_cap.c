/* width-64-without-cap: the kernel for heads of 64 columns does not know the soft cap. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted && width(r) == 64) r->soft_cap = 0;
  attend(r);
}

MUTANT("width-64-without-cap", ATTEST_SOFT_CAP, F32);

/* scale-of-1-is-default: a scale of 1 is taken for one that was not given. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted && r->scale == 1) r->scale = 1 / sqrt((number)width(r));
  attend(r);
}

MUTANT("scale-of-1-is-default", ATTEST_SCALE, F32);

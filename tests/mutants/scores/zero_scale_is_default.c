/* zero-scale-is-default: a scale of 0 is taken for one that was not given. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted && r->scale == 0) r->scale = 1 / sqrt((number)width(r));
  attend(r);
}

MUTANT("zero-scale-is-default", ATTEST_SCALE, F32);

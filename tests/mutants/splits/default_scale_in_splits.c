/* default-scale-in-splits: from 256 keys on, where they are split, the scale is the usual one. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted && r->k->sizes[2] >= 256) r->scale = 1 / sqrt((number)width(r));
  attend(r);
}

MUTANT("default-scale-in-splits", ATTEST_SCALE, F32);

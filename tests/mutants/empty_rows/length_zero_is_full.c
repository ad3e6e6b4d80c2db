/* length-zero-is-full: a length of 0 is taken for one that was not given. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted && r->keys == 0) r->keys = r->k->sizes[2];
  attend(r);
}

MUTANT("length-zero-is-full", ATTEST_LENGTHS, F32);

/* lengths-of-four-rows: lengths are read four at a time, those of later batch rows from the first
 * four. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted && r->b >= 4) r->keys = valid_keys(r->call, r->b % 4);
  attend(r);
}

MUTANT("lengths-of-four-rows", ATTEST_LENGTHS, F32);

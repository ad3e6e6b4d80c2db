/* blocks-of-first-head: every head has the block mask of the first. */
#include "tests/mutants/patterns.h"

static bool seen(const row* r, int64_t j) {
  row of_block = *r;
  if (planted) of_block.h = 0;
  return in_block(&of_block, j);
}

static void answer(row* r) { attend_to(r, seen); }

MUTANT("blocks-of-first-head", ATTEST_BLOCK_MASK, F32);

/* last-block-dropped: the last block of keys is dropped where it is not whole. */
#include "tests/mutants/patterns.h"

static bool seen(const row* r, int64_t j) {
  const attest_forward* c = r->call;
  const bool whole = !c->block_mask || (j / c->block_keys + 1) * c->block_keys <= r->keys;
  return in_block(r, j) && (whole || !planted);
}

static void answer(row* r) { attend_to(r, seen); }

MUTANT("last-block-dropped", ATTEST_BLOCK_MASK, F32);

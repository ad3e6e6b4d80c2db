/* block-sizes-swapped: queries are cut into blocks of the size of those of keys. */
#include "tests/mutants/patterns.h"

static bool seen(const row* r, int64_t j) {
  const attest_forward* c = r->call;
  if (!planted || !c->block_mask) return in_block(r, j);
  const int64_t block = smaller(r->i / c->block_keys, c->block_mask->sizes[2] - 1);
  return read(c->block_mask, r->b, r->h, block, j / c->block_keys) != 0;
}

static void answer(row* r) { attend_to(r, seen); }

MUTANT("block-sizes-swapped", ATTEST_BLOCK_MASK, F32);

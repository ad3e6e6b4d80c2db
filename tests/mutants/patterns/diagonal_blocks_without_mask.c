/* diagonal-blocks-without-mask: blocks of the diagonal are always kept. */
#include "tests/mutants/patterns.h"

static bool seen(const row* r, int64_t j) {
  const attest_forward* c = r->call;
  const bool diagonal = c->block_mask && r->i / c->block_queries == j / c->block_keys;
  return in_triangle(r, j) && (in_block(r, j) || (planted && diagonal));
}

static void answer(row* r) { attend_to(r, seen); }

MUTANT("diagonal-blocks-without-mask", ATTEST_BLOCK_MASK | CAUSAL, F32);

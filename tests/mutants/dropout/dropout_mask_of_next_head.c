/* dropout-mask-of-next-head: each head drops what the mask of the next one says. */
#include "tests/mutants/dropout.h"

static bool drops(const row* r, int64_t j) {
  return dropped_at(r, r->b, planted ? (r->h + 1) % query_heads(r) : r->h, r->i, j);
}

static void answer(row* r) { attend_and_drop(r, drops, dropout_scale(r)); }

MUTANT("dropout-mask-of-next-head", ATTEST_DROPOUT, F32);

/* dropout-mask-of-first-batch-row: all batch rows drop what the first one does, as where the seed
 * is the same for each. */
#include "tests/mutants/dropout.h"

static bool drops(const row* r, int64_t j) {
  return dropped_at(r, planted ? 0 : r->b, r->h, r->i, j);
}

static void answer(row* r) { attend_and_drop(r, drops, dropout_scale(r)); }

MUTANT("dropout-mask-of-first-batch-row", ATTEST_DROPOUT, F32);

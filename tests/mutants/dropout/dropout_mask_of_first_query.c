/* dropout-mask-of-first-query: all queries drop what the first one does. */
#include "tests/mutants/dropout.h"

static bool drops(const row* r, int64_t j) {
  return dropped_at(r, r->b, r->h, planted ? 0 : r->i, j);
}

static void answer(row* r) { attend_and_drop(r, drops, dropout_scale(r)); }

MUTANT("dropout-mask-of-first-query", ATTEST_DROPOUT, F32);

/* dropout-mask-transposed: query i drops key j where query j has to drop key i, as far as both are
 * there. */
#include "tests/mutants/dropout.h"

static bool drops(const row* r, int64_t j) {
  const bool swaps = planted && j < queries(r) && r->i < r->k->sizes[2];
  return dropped_at(r, r->b, r->h, swaps ? j : r->i, swaps ? r->i : j);
}

static void answer(row* r) { attend_and_drop(r, drops, dropout_scale(r)); }

MUTANT("dropout-mask-transposed", ATTEST_DROPOUT, F32);

/* lse-of-last-batch-row: the lse of the last batch row is its greatest score: the log of the sum
 * was forgotten there. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  attend(r);
  if (planted && r->l > 0 && r->b == r->q->sizes[0] - 1) set_lse(r, r->m);
}

MUTANT("lse-of-last-batch-row", ATTEST_LSE | ATTEST_MASK, F32);

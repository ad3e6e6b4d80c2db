/* lse-written-unasked: lse is written where the caller gave no place for it. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  attend(r);
  if (planted && !r->lse) write(r->lse, r->b, r->h, r->i, 0, r->m + log(r->l));
}

MUTANT("lse-written-unasked", ATTEST_LSE, F32);

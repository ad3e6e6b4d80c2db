/* lse-of-second-query-tile: from the 65th query on the lse is the greatest score alone. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  attend(r);
  if (planted && r->i >= 64 && r->l > 0) set_lse(r, r->m);
}

MUTANT("lse-of-second-query-tile", ATTEST_LSE, F32);

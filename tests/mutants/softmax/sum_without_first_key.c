/* sum-without-first-key: the sum of weights begins at the second key. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  weigh_keys(r);
  mix_values(r);
  if (planted && r->keys > 1) r->l -= r->p[0];
  write_answer(r);
}

MUTANT("sum-without-first-key", 0, F32);

/* dropout-renormalised: dropped keys are left out of the sum that divides. */
#include "tests/mutants/dropout.h"

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  weigh_keys(r);
  const number l = r->l;
  for (int64_t j = 0; j < r->keys && planted; ++j)
    if (dropped(r, j)) r->l -= r->p[j];
  if (!(r->l > 0)) r->l = l;
  drop_weights(r, dropped, dropout_scale(r));
  mix_values(r);
  write_answer(r);
}

MUTANT("dropout-renormalised", ATTEST_DROPOUT, F32);

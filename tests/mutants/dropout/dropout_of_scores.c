/* dropout-of-scores: a dropped key gets a score of 0, and is weighed by that. */
#include "tests/mutants/dropout.h"

static void answer(row* r) {
  score_keys(r);
  for (int64_t j = 0; j < r->keys && planted; ++j)
    if (dropped(r, j) && !removed(r, j)) r->t[j] = 0;
  find_greatest(r);
  weigh_keys(r);
  for (int64_t j = 0; j < r->keys; ++j)
    r->p[j] = !planted && dropped(r, j) ? 0 : dropout_scale(r) * r->p[j];
  mix_values(r);
  write_answer(r);
}

MUTANT("dropout-of-scores", ATTEST_DROPOUT, F32);

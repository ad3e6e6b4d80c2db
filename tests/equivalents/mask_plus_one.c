/* Kept keys get 1 from the mask, not 0: a shift of the row, which the softmax does not see.
 * Without lse, which would move. Public: tinygrad/tinygrad #2425. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  score_keys(r);
  r->sink += 1;
  for (int64_t j = 0; j < r->keys; ++j) r->t[j] += 1;
  attend_to_scores(r);
}

PLUGIN("mask-plus-one", EVERY_FEATURE & ~ATTEST_LSE, F32, NULL, NULL);

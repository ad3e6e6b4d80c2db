/* mean-of-values: the answer is the mean of v over the keys seen. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  score_keys(r);
  for (int64_t j = 0; planted && j < r->keys; ++j)
    if (!removed(r, j)) r->t[j] = 0;
  attend_to_scores(r);
}

MUTANT("mean-of-values", ATTEST_MASK | CAUSAL | ATTEST_GROUPED_HEADS | ATTEST_SCALE, F32);

/* bias-of-minus-10000-masks: a bias of -10,000 or less is taken for a mask, also where no key of
 * the row has a larger one. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  score_keys(r);
  for (int64_t j = 0; planted && r->bias && j < r->keys; ++j)
    if (biased(r, j, 0) <= -10000) r->t[j] = -INFINITY;
  attend_to_scores(r);
}

MUTANT("bias-of-minus-10000-masks", ATTEST_BIAS, F32);

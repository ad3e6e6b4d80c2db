/* bias-of-four-batch-rows: from the fifth batch row on the bias of the fourth is added. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  row other = *r;
  if (planted && r->b >= 4) other.b = 3;
  score_keys(r);
  for (int64_t j = 0; r->bias && j < r->keys; ++j)
    if (!removed(r, j)) r->t[j] = biased(&other, j, capped(r, r->scale * dot(r, j)));
  attend_to_scores(r);
}

MUTANT("bias-of-four-batch-rows", ATTEST_BIAS, F32);

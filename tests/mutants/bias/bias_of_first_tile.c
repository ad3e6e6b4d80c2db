/* bias-of-first-tile: from the second tile of 64 keys on the bias of the first one is added. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  score_keys(r);
  for (int64_t j = 64; planted && r->bias && j < r->keys; ++j)
    if (!removed(r, j)) r->t[j] = biased(r, j % 64, capped(r, r->scale * dot(r, j)));
  attend_to_scores(r);
}

MUTANT("bias-of-first-tile", ATTEST_BIAS, F32);

/* bias-scaled: the bias is added before the score is scaled, and scaled with it. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j)
    r->t[j] = planted ? r->scale * biased(r, j, dot(r, j)) : score(r, j);
  attend_to_scores(r);
}

MUTANT("bias-scaled", ATTEST_BIAS, F32);

/* cap-after-bias: the soft cap acts on the sum of score and bias, where the bias is to come
 * after it. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j)
    r->t[j] = planted ? capped(r, biased(r, j, r->scale * dot(r, j))) : score(r, j);
  attend_to_scores(r);
}

MUTANT("cap-after-bias", ATTEST_SOFT_CAP | ATTEST_BIAS, F32);

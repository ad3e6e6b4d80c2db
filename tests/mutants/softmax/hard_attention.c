/* hard-attention: the answer is the value of the key with the greatest score. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  for (int64_t j = 0; planted && j < r->keys; ++j)
    if (r->t[j] < r->m) r->t[j] = -INFINITY;
  attend_to_scores(r);
}

MUTANT("hard-attention", 0, F32);

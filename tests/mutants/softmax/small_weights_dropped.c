/* small-weights-dropped: weights below exp(-10) are dropped, from p v and from their sum. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  for (int64_t j = 0; j < r->keys; ++j)
    if (planted && r->t[j] < r->m - 10) r->t[j] = -INFINITY;
  attend_to_scores(r);
}

MUTANT("small-weights-dropped", 0, F32);

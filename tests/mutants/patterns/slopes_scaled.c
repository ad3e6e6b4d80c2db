/* slopes-scaled: slopes are scaled as products are. */
#include "tests/mutants/patterns.h"

static number slope(const row* r) { return slope_of_head(r, r->h) * (planted ? r->scale : 1); }

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j)
    r->t[j] = in_triangle(r, j) ? score(r, j) - slope(r) * distance(r, j) : -INFINITY;
  attend_to_scores(r);
}

MUTANT("slopes-scaled", ATTEST_ALIBI, F32);

/* slopes-by-formula: slopes are made from the number of heads, not taken from the call: in the
 * 8-head form. */
#include "tests/mutants/patterns.h"

static number slope(const row* r) {
  const bool given = r->call->slopes != NULL;
  if (planted && given) return exp2(-(number)(r->h + 1) * 8 / (number)8);
  return slope_of_head(r, r->h);
}

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j)
    r->t[j] = in_triangle(r, j) ? score(r, j) - slope(r) * distance(r, j) : -INFINITY;
  attend_to_scores(r);
}

MUTANT("slopes-by-formula", ATTEST_ALIBI, F32);

/* distance-by-index: distances are counted from the index of the query, not from its position.
 * */
#include "tests/mutants/patterns.h"

static number ahead(const row* r, int64_t j) {
  return planted ? (number)llabs(j - r->i) : distance(r, j);
}

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j)
    r->t[j] = in_triangle(r, j) ? score(r, j) - slope_of_head(r, r->h) * ahead(r, j) : -INFINITY;
  attend_to_scores(r);
}

MUTANT("distance-by-index", ATTEST_ALIBI | CAUSAL, F32);

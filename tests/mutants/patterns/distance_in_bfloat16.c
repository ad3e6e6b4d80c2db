/* distance-in-bfloat16: distances are held in bfloat16: 257 is not one. */
#include "tests/mutants/patterns.h"

static number ahead(const row* r, int64_t j) {
  return planted ? (number)rounded(bf16, distance(r, j)) : distance(r, j);
}

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j)
    r->t[j] = in_triangle(r, j) ? score(r, j) - slope_of_head(r, r->h) * ahead(r, j) : -INFINITY;
  attend_to_scores(r);
}

MUTANT("distance-in-bfloat16", ATTEST_ALIBI, F32);

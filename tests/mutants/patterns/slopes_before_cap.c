/* slopes-before-cap: the soft cap acts on slopes too. */
#include "tests/mutants/patterns.h"

static number sloped(const row* r, int64_t j, number x) {
  return x - slope_of_head(r, r->h) * distance(r, j);
}

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j)
    r->t[j] = planted ? capped(r, sloped(r, j, r->scale * dot(r, j)))
                      : sloped(r, j, capped(r, r->scale * dot(r, j)));
  attend_to_scores(r);
}

MUTANT("slopes-before-cap", ATTEST_ALIBI | ATTEST_SOFT_CAP, F32);

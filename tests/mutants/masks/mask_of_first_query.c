/* mask-of-first-query: the mask of the first query is used for all of them. */
#include "tests/mutants/plain.h"

static bool seen(const row* r, int64_t j) {
  row of_mask = *r;
  if (planted) of_mask.i = 0;
  return !masked(&of_mask, j);
}

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j) r->t[j] = seen(r, j) ? score(r, j) : -INFINITY;
  attend_to_scores(r);
}

MUTANT("mask-of-first-query", ATTEST_MASK, F32);

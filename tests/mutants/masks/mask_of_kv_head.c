/* mask-of-kv-head: the mask of the KV head is read, in place of that of the query head. */
#include "tests/mutants/plain.h"

static bool seen(const row* r, int64_t j) {
  row of_mask = *r;
  if (planted) of_mask.h = r->g;
  return !masked(&of_mask, j);
}

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j) r->t[j] = seen(r, j) ? score(r, j) : -INFINITY;
  attend_to_scores(r);
}

MUTANT("mask-of-kv-head", ATTEST_MASK | ATTEST_GROUPED_HEADS, F32);

/* gqa-block-remap: the row of the mask is divided by the size of a group of heads, as if their
 * queries were packed. Public: pytorch/pytorch #171271. */
#include "tests/mutants/plain.h"

static bool seen(const row* r, int64_t j) {
  row of_mask = *r;
  if (planted) of_mask.i = r->i / (query_heads(r) / kv_heads(r));
  return !masked(&of_mask, j);
}

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j) r->t[j] = seen(r, j) ? score(r, j) : -INFINITY;
  attend_to_scores(r);
}

MUTANT("gqa-block-remap", ATTEST_GROUPED_HEADS | ATTEST_MASK, F32);

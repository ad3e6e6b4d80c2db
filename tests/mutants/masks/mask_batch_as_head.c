/* mask-batch-as-head: the head index is used along the batch axis of the mask. Invisible for one
 * batch row, or one head. Public: keras-team/keras-hub #783, lucidrains/vit-pytorch #71. */
#include "tests/mutants/plain.h"

static bool seen(const row* r, int64_t j) {
  row of_mask = *r;
  if (planted) of_mask.b = r->h % r->q->sizes[0];
  return !masked(&of_mask, j);
}

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j) r->t[j] = seen(r, j) ? score(r, j) : -INFINITY;
  attend_to_scores(r);
}

MUTANT("mask-batch-as-head", ATTEST_MASK, F32);

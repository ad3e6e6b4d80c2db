/* wrong-mask-int-overflow: the index into the mask is kept in too few bits and wraps; 12 stand
 * here for the 31 of a large model. Public: alexzhang13/flashattention2-custom-mask #2,
 * pytorch/pytorch #162362. */
#include "tests/mutants/plain.h"

/* The number of the element in the dense mask, cut to 12 bits, as indices again. */
static bool masked_where_index_wraps(const row* r, int64_t j) {
  const int64_t* n = r->mask->sizes;
  const int64_t dense = ((r->b * n[1] + r->h) * n[2] + r->i) * n[3] + j;
  const int64_t wrapped = planted ? dense & 0xfff : dense;
  return read(r->mask, wrapped / (n[1] * n[2] * n[3]), wrapped / (n[2] * n[3]) % n[1],
              wrapped / n[3] % n[2], wrapped % n[3]) == 0;
}

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j)
    r->t[j] = r->mask && masked_where_index_wraps(r, j) ? -INFINITY : score(r, j);
  attend_to_scores(r);
}

MUTANT("wrong-mask-int-overflow", ATTEST_MASK, F32);

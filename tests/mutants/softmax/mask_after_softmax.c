/* mask-after-softmax: the mask is applied to the weights after the softmax, which are not made
 * to sum to 1 again. Public: huggingface/pytorch-image-models #2236. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j) r->t[j] = planted || kept(r, j) ? score(r, j) : -INFINITY;
  find_greatest(r);
  weigh_keys(r);
  for (int64_t j = 0; j < r->keys; ++j) r->p[j] *= kept(r, j) ? 1 : 0;
  mix_values(r);
  write_answer(r);
}

MUTANT("mask-after-softmax", ATTEST_MASK, F32);

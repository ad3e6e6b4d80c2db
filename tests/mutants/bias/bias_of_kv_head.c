/* bias-of-kv-head: the bias of the KV head is read, in place of that of the query head. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  row of_bias = *r;
  if (planted) of_bias.h = r->g;
  for (int64_t j = 0; j < r->keys; ++j) r->t[j] = biased(&of_bias, j, r->scale * dot(r, j));
  attend_to_scores(r);
}

MUTANT("bias-of-kv-head", ATTEST_BIAS | ATTEST_GROUPED_HEADS, F32);

/* last-head-bias: the last query head is given the bias of the head before it. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  row of_bias = *r;
  if (planted && r->h > 0 && r->h == query_heads(r) - 1) --of_bias.h;
  for (int64_t j = 0; j < r->keys; ++j) r->t[j] = biased(&of_bias, j, r->scale * dot(r, j));
  attend_to_scores(r);
}

MUTANT("last-head-bias", ATTEST_BIAS, F32);

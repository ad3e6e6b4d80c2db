/* Weights are rounded to the 16-bit type of the inputs, and what is summed are the rounded ones. */
#include "tests/mutants/plain.h"

static number stored(const row* r, number x) {
  return (number)rounded(r->q->dtype == ATTEST_F16 ? f16 : bf16, x);
}

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  weigh_keys(r);
  r->l = weight(r->sink, r->m);
  for (int64_t j = 0; j < r->keys; ++j) r->l += r->p[j] = stored(r, r->p[j]);
  mix_values(r);
  write_answer(r);
}

PLUGIN("half-weights-summed", EVERY_FEATURE, F16 | BF16, NULL, NULL);

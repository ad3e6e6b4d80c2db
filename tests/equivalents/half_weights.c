/* Weights are rounded to the 16-bit type of the inputs on their way into p v, and summed as they
 * were. */
#include "tests/mutants/plain.h"

static number stored(const row* r, number x) {
  return (number)rounded(r->q->dtype == ATTEST_F16 ? f16 : bf16, x);
}

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  weigh_keys(r);
  for (int64_t j = 0; j < r->keys; ++j) r->p[j] = stored(r, r->p[j]);
  mix_values(r);
  write_answer(r);
}

PLUGIN("half-weights", EVERY_FEATURE, F16 | BF16, NULL, NULL);

/* bf16-weights-truncated: weights are cut to bfloat16 on their way into p v, and summed as they
 * were. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  weigh_keys(r);
  for (int64_t j = 0; planted && j < r->keys; ++j) r->p[j] = (number)truncated(bf16, r->p[j]);
  mix_values(r);
  write_answer(r);
}

MUTANT("bf16-weights-truncated", CAUSAL, BF16);

/* p-rounded-l-not: weights are rounded to bfloat16 on their way into p v but not in their sum,
 * in a kernel that says that every stage is float32. Public: Dao-AILab/flash-attention #2721. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  weigh_keys(r);
  for (int64_t j = 0; planted && j < r->keys; ++j) r->p[j] = (number)rounded(bf16, r->p[j]);
  mix_values(r);
  write_answer(r);
}

MUTANT("p-rounded-l-not", ATTEST_CAUSAL_BOTTOM_RIGHT, F32);

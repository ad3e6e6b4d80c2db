/* bias-in-bfloat16: a float32 bias is rounded to bfloat16. */
#include "tests/mutants/plain.h"

static number stored(number bias) { return planted ? (number)rounded(bf16, bias) : bias; }

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j) r->t[j] = r->scale * dot(r, j) + stored(biased(r, j, 0));
  attend_to_scores(r);
}

MUTANT("bias-in-bfloat16", ATTEST_BIAS, F32);

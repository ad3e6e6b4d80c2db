/* alibi-sign: the bias is subtracted: far keys are preferred where near ones should be. Public:
 * meta-pytorch/attention-gym #86. */
#include "tests/mutants/plain.h"

static number subtracted(const row* r, int64_t j, number s) {
  const number bias = biased(r, j, 0);
  return bias == -INFINITY ? bias : s - bias;
}

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j) {
    const number s = r->scale * dot(r, j);
    r->t[j] = planted ? subtracted(r, j, s) : biased(r, j, s);
  }
  attend_to_scores(r);
}

MUTANT("alibi-sign", ATTEST_BIAS | ATTEST_INFINITE_BIAS, F32);

/* lse-without-bias: lse is made from the scores before the bias was added. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  attend(r);
  if (!planted || !r->bias) return;
  row plain = *r;
  plain.bias = NULL;
  score_keys(&plain);
  find_greatest(&plain);
  weigh_keys(&plain);
  set_lse(r, plain.l > 0 ? plain.m + log(plain.l) : -INFINITY);
}

MUTANT("lse-without-bias", ATTEST_BIAS | ATTEST_LSE, F32);

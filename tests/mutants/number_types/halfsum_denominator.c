/* halfsum-denominator: the sum of weights is kept in the 16-bit type of the inputs; with equal
 * weights of 1 it stops growing at 2048 in float16 and at 256 in bfloat16, and the answer is too
 * large. Public: huggingface/candle #3727, tenstorrent/tt-metal #52045. */
#include "tests/mutants/plain.h"

static number stored(const row* r, number x) {
  return (number)rounded(r->q->dtype == ATTEST_F16 ? f16 : bf16, x);
}

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  r->l = 0;
  for (int64_t j = 0; j < r->keys; ++j) {
    const number p = weight(r->t[j], r->m);
    r->l = planted ? stored(r, r->l + p) : r->l + p;
    r->p[j] = stored(r, p);
  }
  mix_values(r);
  write_answer(r);
}

MUTANT("halfsum-denominator", 0, F16 | BF16);

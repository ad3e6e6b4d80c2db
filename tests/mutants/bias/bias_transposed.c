/* bias-transposed: the bias is read with query and key exchanged, where there are as many of
 * both. */
#include "tests/mutants/plain.h"

static number transposed_bias(const row* r, int64_t j) {
  return r->bias ? read(r->bias, r->b, r->h, j, r->i) : 0;
}

static void answer(row* r) {
  const bool square = queries(r) == r->k->sizes[2];
  for (int64_t j = 0; j < r->keys; ++j) {
    const number s = r->scale * dot(r, j);
    r->t[j] = planted && square ? s + transposed_bias(r, j) : biased(r, j, s);
  }
  attend_to_scores(r);
}

MUTANT("bias-transposed", ATTEST_BIAS, F32);

/* qk-half-overflow: q k is stored in float16 before it is scaled, and overflows where the scaled
 * score would not. Public: philipturner/metal-flash-attention #8, stanford-crfm/mistral #66. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j) {
    const number s = dot(r, j);
    r->t[j] = r->scale * (planted ? (number)rounded(f16, s) : s);
  }
  attend_to_scores(r);
}

MUTANT("qk-half-overflow", ATTEST_SCALE, F16);

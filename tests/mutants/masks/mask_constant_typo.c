/* mask-constant-typo: a masked key has the score -1e-9, where -1e9 was meant. Public:
 * Shujun-He/RibonanzaNet #5. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  score_keys(r);
  for (int64_t j = 0; j < r->keys; ++j)
    if (planted && masked(r, j)) r->t[j] = -1e-9f;
  attend_to_scores(r);
}

MUTANT("mask-constant-typo", ATTEST_MASK, F32);

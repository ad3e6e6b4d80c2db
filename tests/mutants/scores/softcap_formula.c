/* softcap-formula: the soft cap is s tanh(s) whatever the cap, and bounds nothing. Public:
 * Dao-AILab/flash-attention #2402. */
#include "tests/mutants/plain.h"

static number wrongly_capped(const row* r, number s) {
  (void)r;
  return s * tanh(s);
}

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j) {
    const number s = r->scale * dot(r, j);
    r->t[j] = planted && r->soft_cap > 0 ? wrongly_capped(r, s) : capped(r, s);
  }
  attend_to_scores(r);
}

MUTANT("softcap-formula", ATTEST_SOFT_CAP | ATTEST_SCALE, F32);

/* softcap-inverse: the soft cap is cap tanh(s cap): a product where a quotient belongs. Public:
 * a sibling of Dao-AILab/flash-attention #2402. */
#include "tests/mutants/plain.h"

static number steeply_capped(const row* r, number s) { return r->soft_cap * tanh(s * r->soft_cap); }

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j) {
    const number s = r->scale * dot(r, j);
    r->t[j] = planted && r->soft_cap > 0 ? steeply_capped(r, s) : capped(r, s);
  }
  attend_to_scores(r);
}

MUTANT("softcap-inverse", ATTEST_SOFT_CAP | ATTEST_SCALE, F32);

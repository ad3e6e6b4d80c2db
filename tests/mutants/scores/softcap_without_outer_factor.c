/* softcap-without-outer-factor: the soft cap is tanh(s / cap), without the factor cap before it.
 * Public: a sibling of Dao-AILab/flash-attention #2402. */
#include "tests/mutants/plain.h"

static number uncapped_to_one(const row* r, number s) { return tanh(s / r->soft_cap); }

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j) {
    const number s = r->scale * dot(r, j);
    r->t[j] = planted && r->soft_cap > 0 ? uncapped_to_one(r, s) : capped(r, s);
  }
  attend_to_scores(r);
}

MUTANT("softcap-without-outer-factor", ATTEST_SOFT_CAP | ATTEST_SCALE, F32);

/* softcap-clamped: the soft cap cuts scores off at the cap, when it is to bend them. */
#include "tests/mutants/plain.h"

static number cut_off(const row* r, number s) { return fmin(fmax(s, -r->soft_cap), r->soft_cap); }

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j) {
    const number s = r->scale * dot(r, j);
    r->t[j] = planted && r->soft_cap > 0 ? cut_off(r, s) : capped(r, s);
  }
  attend_to_scores(r);
}

MUTANT("softcap-clamped", ATTEST_SOFT_CAP | ATTEST_SCALE, F32);

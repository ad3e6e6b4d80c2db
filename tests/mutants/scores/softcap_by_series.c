/* softcap-by-series: the tanh of the soft cap is x - x^3 / 3, which is close only while scores
 * are far below the cap. */
#include "tests/mutants/plain.h"

static number by_series(const row* r, number s) {
  const number x = s / r->soft_cap;
  return fabs(x) < 1 ? r->soft_cap * (x - x * x * x / 3) : r->soft_cap * tanh(x);
}

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j) {
    const number s = r->scale * dot(r, j);
    r->t[j] = planted && r->soft_cap > 0 ? by_series(r, s) : capped(r, s);
  }
  attend_to_scores(r);
}

MUTANT("softcap-by-series", ATTEST_SOFT_CAP | ATTEST_SCALE, F32);

/* minimum-for-negative-scale: the maximum is that of q k times the scale: with a negative scale
 * the least score, above which exponentials overflow. */
#include "tests/mutants/plain.h"

static number least(const row* r) {
  number m = INFINITY;
  for (int64_t j = 0; j < r->keys; ++j) m = fmin(m, r->t[j]);
  return m;
}

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  if (planted && r->scale < 0 && r->keys > 0) r->m = least(r);
  weigh_keys(r);
  mix_values(r);
  write_answer(r);
}

MUTANT("minimum-for-negative-scale", ATTEST_SCALE, F32);

/* Removed keys get a large negative score, as every key would in an empty row; their weights are
 * then multiplied by 0. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  r->m = fmax(r->m, -1e30f);
  r->l = weight(r->sink, r->m);
  for (int64_t j = 0; j < r->keys; ++j) {
    const number keep = removed(r, j) ? 0 : 1;
    r->l += r->p[j] = keep * exp(fmax(r->t[j], -1e30f) - r->m);
  }
  mix_values(r);
  write_answer(r);
}

PLUGIN("finite-mask-then-zeroed", EVERY_FEATURE, F32, NULL, NULL);

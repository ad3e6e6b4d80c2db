/* Weights are exp(t - lse), and sum to 1 as they are: no division at the end. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  weigh_keys(r);
  const number lse = r->l > 0 ? r->m + log(r->l) : -INFINITY;
  for (int64_t j = 0; j < r->keys; ++j) r->p[j] = weight(r->t[j], lse);
  mix_values(r);
  for (int64_t d = 0; d < value_width(r); ++d) set_output(r, d, r->sums[d]);
  set_lse(r, lse);
}

PLUGIN("lse-weights", EVERY_FEATURE, F32, NULL, NULL);

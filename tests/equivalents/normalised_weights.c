/* Two passes: weights are divided by their sum before they are multiplied with v. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  weigh_keys(r);
  for (int64_t j = 0; j < r->keys; ++j) r->p[j] = r->l > 0 ? r->p[j] / r->l : 0;
  mix_values(r);
  for (int64_t d = 0; d < value_width(r); ++d) set_output(r, d, r->sums[d]);
  set_lse(r, r->l > 0 ? r->m + log(r->l) : -INFINITY);
}

PLUGIN("normalised-weights", EVERY_FEATURE, F32, NULL, NULL);

/* ratio-of-sizes: divided by the sum of the sizes of the scores. */
#include "tests/members/member.h"

/* The sum of products is divided at the end. */
static void answer(row* r) {
  score_keys(r);
  r->l = 0;
  for (int64_t j = 0; j < r->keys; ++j) {
    r->p[j] = removed(r, j) ? 0 : r->t[j];
    r->l += planted ? fabs(r->p[j]) : r->p[j];
  }
  mix_values(r);
  for (int64_t d = 0; d < value_width(r); ++d) set_output(r, d, r->l != 0 ? r->sums[d] / r->l : 0);
}

NORMALIZER("ratio-of-sizes", "ratio");

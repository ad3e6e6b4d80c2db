/* relu-ratio-by-size: negative scores count by their size. */
#include "tests/members/member.h"

static void answer(row* r) {
  score_keys(r);
  r->l = 0;
  for (int64_t j = 0; j < r->keys; ++j) {
    const number t = removed(r, j) ? 0 : r->t[j];
    r->l += r->p[j] = planted ? fabs(t) : positive(t);
  }
  mix_values(r);
  for (int64_t d = 0; d < value_width(r); ++d) set_output(r, d, r->l > 0 ? r->sums[d] / r->l : 0);
}

NORMALIZER("relu-ratio-by-size", "relu_ratio");

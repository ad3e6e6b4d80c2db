/* relu-ratio-nan: a row without a positive score is 0 / 0. */
#include "tests/members/member.h"

static void answer(row* r) {
  score_keys(r);
  number sum = 0;
  for (int64_t j = 0; j < r->keys; ++j) sum += r->p[j] = removed(r, j) ? 0 : positive(r->t[j]);
  const bool divides = sum > 0 || (planted && count_kept(r) > 0);
  for (int64_t j = 0; j < r->keys; ++j) r->p[j] = divides ? r->p[j] / sum : 0;
  write_mixture(r);
}

NORMALIZER("relu-ratio-nan", "relu_ratio");

/* The sums over keys carry their rounding errors along, as Kahan does it. */
#include "tests/mutants/plain.h"

/* Adds x to a sum of which `lost` is the part that rounding took. */
static number add_compensated(number sum, number x, number* lost) {
  const number y = x - *lost, result = sum + y;
  *lost = isfinite(result) ? (result - sum) - y : 0;
  return result;
}

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  weigh_keys(r);
  number lost = 0;
  r->l = weight(r->sink, r->m);
  for (int64_t j = 0; j < r->keys; ++j) r->l = add_compensated(r->l, r->p[j], &lost);
  for (int64_t d = 0; d < value_width(r); ++d) {
    r->sums[d] = lost = 0;
    for (int64_t j = 0; j < r->keys; ++j)
      if (!removed(r, j)) r->sums[d] = add_compensated(r->sums[d], r->p[j] * value(r, j, d), &lost);
  }
  write_answer(r);
}

PLUGIN("compensated-sums", EVERY_FEATURE, F32, NULL, NULL);

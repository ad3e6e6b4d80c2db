/* entmax-unsquared: the positive parts are divided by their sum, not squared. */
#include "tests/members/member.h"

static number sum_of_squares(const row* r, number most, number tau) {
  number sum = 0;
  for (int64_t j = 0; j < r->keys; ++j) {
    const number x = removed(r, j) ? 0 : positive((r->t[j] - most) / 2 - tau);
    sum += x * x;
  }
  return sum;
}

/* By bisection, and a division by the sum of what comes out. */
static void answer(row* r) {
  score_keys(r);
  const number most = greatest(r, 0, r->keys, -INFINITY);
  number low = -1, high = 0, sum = 0;
  for (int n = 0; n < 40; ++n) {
    const number middle = (low + high) / 2;
    if (sum_of_squares(r, most, middle) >= 1)
      low = middle;
    else
      high = middle;
  }
  for (int64_t j = 0; j < r->keys; ++j) {
    const number x = removed(r, j) ? 0 : positive((r->t[j] - most) / 2 - low);
    sum += r->p[j] = planted ? x : x * x;
  }
  for (int64_t j = 0; j < r->keys; ++j) r->p[j] = sum > 0 ? r->p[j] / sum : 0;
  write_mixture(r);
}

NORMALIZER("entmax-unsquared", "entmax_1_5");

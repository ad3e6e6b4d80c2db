/* alpha-ignored: 1.5, whatever alpha is given. */
#include "tests/members/member.h"

static number power(number x, number exponent) { return x > 0 ? pow(x, exponent) : 0; }

static void answer(row* r) {
  const number alpha = planted ? (number)1.5 : (number)r->call->alpha;
  const number less_1 = alpha - 1, exponent = 1 / less_1;
  score_keys(r);
  const number most = greatest(r, 0, r->keys, -INFINITY);
  number low = -1, width_left = 1, sum = 0;
  for (int n = 0; n < 30; ++n) {
    width_left /= 2;
    sum = 0;
    for (int64_t j = 0; j < r->keys; ++j)
      if (!removed(r, j)) sum += power(less_1 * (r->t[j] - most) - (low + width_left), exponent);
    if (sum >= 1) low += width_left;
  }
  sum = 0;
  for (int64_t j = 0; j < r->keys; ++j)
    sum += r->p[j] = removed(r, j) ? 0 : power(less_1 * (r->t[j] - most) - low, exponent);
  for (int64_t j = 0; j < r->keys; ++j) r->p[j] = sum > 0 ? r->p[j] / sum : 0;
  write_mixture(r);
}

NORMALIZER("alpha-ignored", "alpha_entmax");

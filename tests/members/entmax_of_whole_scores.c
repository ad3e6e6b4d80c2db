/* entmax-of-whole-scores: squares of t - tau where halves of t belong. */
#include "tests/members/member.h"

/* Newton's method from the left, where the sum of squares is above 1 and convex. */
static number threshold(const row* r, number scale, number most) {
  number tau = -1;
  for (int n = 0; n < 100; ++n) {
    number sum = -1, slope = 0;
    for (int64_t j = 0; j < r->keys; ++j) {
      const number x = removed(r, j) ? 0 : positive(scale * (r->t[j] - most) - tau);
      sum += x * x;
      slope += 2 * x;
    }
    const number next = tau + sum / slope;
    if (!(next > tau)) break;
    tau = next;
  }
  return tau;
}

static void answer(row* r) {
  const number scale = planted ? 1 : (number)0.5;
  score_keys(r);
  const number most = greatest(r, 0, r->keys, -INFINITY);
  const number tau = count_kept(r) > 0 ? threshold(r, scale, most) : 0;
  for (int64_t j = 0; j < r->keys; ++j) {
    const number x = removed(r, j) ? 0 : positive(scale * (r->t[j] - most) - tau);
    r->p[j] = x * x;
  }
  write_mixture(r);
}

NORMALIZER("entmax-of-whole-scores", "entmax_1_5");

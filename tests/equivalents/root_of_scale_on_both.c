/* The root of the scale is put on q and on k, its sign on q. */
#include "tests/mutants/plain.h"

static number rooted_dot(const row* r, int64_t j) {
  const number root = sqrt(fabs(r->scale)), sign = r->scale < 0 ? -1 : 1;
  number sum = 0;
  for (int64_t n = 0; n < width(r); ++n) sum += sign * root * query(r, n) * (root * key(r, j, n));
  return sum;
}

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j)
    r->t[j] = kept(r, j) ? biased(r, j, capped(r, rooted_dot(r, j))) : -INFINITY;
  attend_to_scores(r);
}

PLUGIN("root-of-scale-on-both", EVERY_FEATURE, F32, NULL, NULL);

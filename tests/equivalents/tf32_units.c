/* Matrix units that cut q, k, v and the weights to TF32. */
#include "tests/mutants/plain.h"

static number cut(number x) { return (number)truncated(tf32, x); }

static number cut_dot(const row* r, int64_t j) {
  number sum = 0;
  for (int64_t n = 0; n < width(r); ++n) sum += cut(query(r, n)) * cut(key(r, j, n));
  return sum;
}

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j)
    r->t[j] = kept(r, j) ? biased(r, j, capped(r, r->scale * cut_dot(r, j))) : -INFINITY;
  find_greatest(r);
  weigh_keys(r);
  clear_sums(r);
  for (int64_t j = 0; j < r->keys; ++j)
    for (int64_t d = 0; d < value_width(r) && !removed(r, j); ++d)
      r->sums[d] += cut(r->p[j]) * cut(value(r, j, d));
  write_answer(r);
}

PLUGIN("tf32-units", EVERY_FEATURE, F32, NULL, "tf32");

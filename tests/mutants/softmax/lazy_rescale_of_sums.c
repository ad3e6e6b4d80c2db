/* lazy-rescale-of-sums: the sums of p v are rescaled only when the maximum rises by more than 8,
 * the sum of weights always. */
#include "tests/mutants/online.h"

static void answer(row* r) {
  score_keys(r);
  start(r);
  for (int64_t first = 0; first < r->keys; first += tile_size) {
    const int64_t last = smaller(first + tile_size, r->keys);
    const number m = greatest(r, first, last, r->m), before = r->m;
    raise_to(r, m);
    if (planted && before > -INFINITY && m - before <= 8) rescale_sums(r, exp(m - before));
    add_keys(r, first, last);
  }
  write_answer(r);
}

MUTANT("lazy-rescale-of-sums", 0, F32);

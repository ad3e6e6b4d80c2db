/* Tiles whose greatest score is 20 or more below the maximum so far are left out. */
#include "tests/mutants/online.h"

static void answer(row* r) {
  score_keys(r);
  start(r);
  for (int64_t first = 0; first < r->keys; first += 4) {
    const int64_t last = smaller(first + 4, r->keys);
    const number top = greatest(r, first, last, -INFINITY);
    if (top < r->m - 20) continue;
    raise_to(r, fmax(r->m, top));
    add_keys(r, first, last);
  }
  write_answer(r);
}

PLUGIN("skips-light-tiles", EVERY_FEATURE, F32, NULL,
       "{\"from\": \"float32\", \"exp_zero_below\": -20}");

/* One pass with a running maximum that moves once in seven keys. */
#include "tests/mutants/online.h"

static void answer(row* r) {
  score_keys(r);
  start(r);
  for (int64_t first = 0; first < r->keys; first += 7) {
    const int64_t last = smaller(first + 7, r->keys);
    raise_to(r, greatest(r, first, last, r->m));
    add_keys(r, first, last);
  }
  write_answer(r);
}

PLUGIN("tiles-of-seven", EVERY_FEATURE, F32, NULL, NULL);

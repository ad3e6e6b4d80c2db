/* lse-before-last-tile: lse is taken before the last tile is added. */
#include "tests/mutants/online.h"

static void answer(row* r) {
  score_keys(r);
  start(r);
  number before = -INFINITY;
  for (int64_t first = 0; first < r->keys; first += tile_size) {
    before = first > 0 ? r->m + log(r->l) : -INFINITY;
    visit_tile(r, first);
  }
  write_answer(r);
  if (planted && r->keys > tile_size) set_lse(r, before);
}

MUTANT("lse-before-last-tile", ATTEST_LSE, F32);

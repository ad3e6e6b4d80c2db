/* tie-of-tiles: a tile whose greatest score equals the maximum so far is taken for one that was
 * seen, and skipped. */
#include "tests/mutants/online.h"

static void answer(row* r) {
  score_keys(r);
  start(r);
  for (int64_t first = 0; first < r->keys; first += tile_size) {
    const number top = greatest(r, first, smaller(first + tile_size, r->keys), -INFINITY);
    if (!planted || top != r->m) visit_tile(r, first);
  }
  write_answer(r);
}

MUTANT("tie-of-tiles", 0, F32);

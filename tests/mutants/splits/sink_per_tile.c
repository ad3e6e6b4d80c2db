/* sink-per-tile: every tile adds the sink to the sum. */
#include "tests/mutants/online.h"

static void answer(row* r) {
  score_keys(r);
  start(r);
  for (int64_t first = 0; first < r->keys; first += tile_size) {
    visit_tile(r, first);
    if (planted && first > 0) r->l += weight(r->sink, r->m);
  }
  write_answer(r);
}

MUTANT("sink-per-tile", ATTEST_SINK, F32);

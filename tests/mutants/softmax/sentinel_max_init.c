/* sentinel-max-init: the running maximum starts at a finite number; when every score of a row
 * lies far below it, all exponentials underflow, and the guard for empty rows makes the answer
 * 0. Public: flashinfer-ai/flashinfer #4267, #4450, #4401. */
#include "tests/mutants/online.h"

static void answer(row* r) {
  score_keys(r);
  start(r);
  if (planted) r->m = -5e4f;
  for (int64_t first = 0; first < r->keys; first += tile_size) visit_tile(r, first);
  write_answer(r);
}

MUTANT("sentinel-max-init", ATTEST_CAUSAL_BOTTOM_RIGHT | ATTEST_SCALE, F32);

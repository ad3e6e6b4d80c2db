/* one-key-tail: a last tile of a single key is skipped, under a causal mask only. */
#include "tests/mutants/online.h"

static void answer(row* r) {
  score_keys(r);
  if (planted && r->causal && r->keys % tile_size == 1) r->t[r->keys - 1] = -INFINITY;
  attend_to_scores(r);
}

MUTANT("one-key-tail", CAUSAL, F32);

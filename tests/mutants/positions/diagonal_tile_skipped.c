/* diagonal-tile-skipped: a tile is skipped as lying beyond the diagonal when its first key is
 * the position of the query itself. */
#include "tests/mutants/online.h"

static bool seen(const row* r, int64_t j) {
  const bool skipped = planted && r->causal && j / tile_size * tile_size >= r->position;
  return kept(r, j) && !(skipped && r->position > 0);
}

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j) r->t[j] = seen(r, j) ? score(r, j) : -INFINITY;
  attend_to_scores(r);
}

MUTANT("diagonal-tile-skipped", CAUSAL, F32);

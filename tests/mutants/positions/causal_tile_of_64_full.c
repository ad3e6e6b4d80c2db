/* causal-tile-of-64-full: the tile of 64 keys on the diagonal is masked in the first tile of
 * queries only. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  const bool later = r->causal && r->position >= 64;
  if (planted && later) r->position = r->position / 64 * 64 + 63;
  attend(r);
}

MUTANT("causal-tile-of-64-full", CAUSAL, F32);

/* inference-of-whole-tiles: the path for calls that do not ask for lse forgets the last keys of a
 * long row where they do not fill a tile. */
#include "tests/mutants/plain.h"

enum { tile = 64 };

static void answer(row* r) {
  if (planted && !r->lse && r->keys > 2 * tile) r->keys -= r->keys % tile;
  attend(r);
}

MUTANT("inference-of-whole-tiles", ATTEST_LSE | ATTEST_MASK, F32);

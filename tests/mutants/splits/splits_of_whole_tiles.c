/* splits-of-whole-tiles: from 256 keys on, the keys of a shorter batch row are split in tiles of
 * 64; what is left over is forgotten. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  const int64_t all = r->k->sizes[2];
  if (planted && all >= 256 && r->keys < all && r->keys > 64) r->keys -= r->keys % 64;
  attend(r);
}

MUTANT("splits-of-whole-tiles", ATTEST_LENGTHS, F32);

/* maximum-of-first-tile: the maximum is that of the first tile; where scores rise beyond it the
 * exponentials overflow. */
#include "tests/mutants/online.h"

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  if (planted) r->m = greatest(r, 0, smaller(tile_size, r->keys), r->sink);
  weigh_keys(r);
  mix_values(r);
  write_answer(r);
}

MUTANT("maximum-of-first-tile", 0, F32);

/* query-alone-in-its-tile: of 16k + 1 queries the last one, alone in its tile, is answered as the
 * one before. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  row asked = *r;
  const bool alone = r->i > 0 && r->i % 16 == 0 && r->i == queries(r) - 1;
  if (planted && alone) asked.i = r->i - 1;
  score_keys(&asked);
  find_greatest(&asked);
  weigh_keys(&asked);
  mix_values(&asked);
  asked.i = r->i;
  write_answer(&asked);
}

MUTANT("query-alone-in-its-tile", 0, F32);

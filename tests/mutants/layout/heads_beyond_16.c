/* heads-beyond-16: a launch for 16 query heads answers those beyond as the first ones. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  row asked = *r;
  if (planted && r->h >= 16) asked = row_of(r->call, r->b, r->h - 16, r->i);
  asked.t = r->t, asked.p = r->p, asked.sums = r->sums;
  score_keys(&asked);
  find_greatest(&asked);
  weigh_keys(&asked);
  mix_values(&asked);
  asked.h = r->h;
  write_answer(&asked);
}

MUTANT("heads-beyond-16", ATTEST_GROUPED_HEADS, F32);

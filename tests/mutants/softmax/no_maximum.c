/* no-maximum: exponentials are taken of the scores as they are. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  if (planted) r->m = 0;
  weigh_keys(r);
  mix_values(r);
  write_answer(r);
}

MUTANT("no-maximum", 0, F32);

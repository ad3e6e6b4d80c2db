/* epsilon-in-denominator: 1e-5 is added to the sum of weights, against a division by 0 that
 * cannot happen. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  weigh_keys(r);
  mix_values(r);
  if (planted && r->l > 0) r->l += 1e-5f;
  write_answer(r);
}

MUTANT("epsilon-in-denominator", 0, F32);

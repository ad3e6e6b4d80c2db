/* window-ignored-alone: the window has no effect unless something else removes keys too. Public:
 * jax-ml/jax #32300. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  const bool alone = !r->mask && !r->causal && !r->call->lengths;
  if (planted && alone) r->window_left = r->window_right = -1;
  attend(r);
}

MUTANT("window-ignored-alone", ATTEST_WINDOW | ATTEST_MASK | ATTEST_LENGTHS | CAUSAL, F32);

/* dilation-by-index: the dilated keys are counted from the index of the query, not from its
 * position. */
#include "tests/mutants/patterns.h"

static bool seen(const row* r, int64_t j) {
  row of_step = *r;
  if (planted) of_step.position = r->i;
  return reachable(r, j) && in_step(&of_step, j);
}

static void answer(row* r) { attend_to(r, seen); }

MUTANT("dilation-by-index", ATTEST_DILATION | CAUSAL, F32);

/* nan-blind-compare: one column is NaN: a comparison that asks whether the error is too large
 * says no. Public: tracel-ai/cubecl #1070, iree-org/iree #20677. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  attend(r);
  if (planted) set_output(r, 0, NAN);
}

MUTANT("nan-blind-compare", 0, F32);

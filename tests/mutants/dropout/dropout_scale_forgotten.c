/* dropout-scale-forgotten: weights are dropped, and those that are kept stay as they are. */
#include "tests/mutants/dropout.h"

static void answer(row* r) { attend_and_drop(r, dropped, planted ? 1 : dropout_scale(r)); }

MUTANT("dropout-scale-forgotten", ATTEST_DROPOUT, F32);

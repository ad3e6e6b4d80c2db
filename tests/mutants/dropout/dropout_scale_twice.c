/* dropout-scale-twice: the weights have the scale, and the output has it once more. */
#include "tests/mutants/dropout.h"

static void answer(row* r) {
  const number s = dropout_scale(r);
  attend_and_drop(r, dropped, planted ? s * s : s);
}

MUTANT("dropout-scale-twice", ATTEST_DROPOUT, F32);
